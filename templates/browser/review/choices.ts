import type { Choosable } from "../messages";

/** The results and inputs of this calculator that the explore panel offers in its menus. */
export interface Choices {
  readonly about: string;
  readonly results: readonly Choosable[];
  readonly movable: readonly Choosable[];
}
