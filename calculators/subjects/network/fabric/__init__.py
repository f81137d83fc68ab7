"""Fabric."""
