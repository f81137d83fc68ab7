"""WebKitGTK in the shape of Playwright's page: just the little that the core and `reading` ask of one."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

_CALL = """const [given, done] = arguments;
Promise.resolve().then(() => (%s)(given)).then((value) => done({value}), (error) => done({error: `${error}`}));"""
_FOUND = """(given) => {
  const element = document.querySelector(%r);
  if (!element) throw new Error("there is no " + %r);
  return (%s)(element, given);
}"""
_FILL = """(element, text) => {
  element.focus();
  element.value = text;
  element.dispatchEvent(new Event("input", {bubbles: true}));
  if (element.type === "range") element.dispatchEvent(new Event("change", {bubbles: true}));
}"""


class Keyboard:
    """Keys, pressed for whatever has the focus."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver

    def press(self, key: str) -> None:
        """Press one key, by its name in the standard: `Tab`, `ArrowRight`."""
        name = "".join(f"_{letter}" if letter.isupper() else letter for letter in key).strip("_").upper()
        self.type(getattr(Keys, name))

    def type(self, text: str) -> None:
        """Press the keys of a text, one after the other."""
        ActionChains(self.driver, duration=0).send_keys(text).perform()


class Tab:
    """The one tab of a running WebKitGTK."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver
        self.keyboard = Keyboard(driver)

    def goto(self, address: str) -> None:
        """Open a page and wait until it is loaded; to another place of the same page too, again."""
        self.driver.get("about:blank")
        self.driver.get(address)

    def evaluate(self, function: str, given: Any = None) -> Any:
        """Call a function in the page, and wait for what it promises."""
        answer = self.driver.execute_async_script(_CALL % function, given)
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def look(self, function: str, given: Any = None) -> Any:
        """Call a function that changes nothing; again, where WebKit's driver now and then loses its result."""
        try:
            return self.evaluate(function, given)
        except WebDriverException as error:
            if "Could not parse script result" not in (error.msg or ""):
                raise
            return self.evaluate(function, given)

    def locator(self, selector: str) -> Place:
        """What a selector finds first."""
        return Place(self, selector)

    def wait_for_timeout(self, milliseconds: float) -> None:
        """Do nothing for a while."""
        time.sleep(milliseconds / 1000)


@dataclass(frozen=True)
class Place:
    """The first element that a selector finds, looked for again each time."""

    page: Tab
    selector: str

    def locator(self, selector: str) -> Place:
        """Find an element in this one."""
        return Place(self.page, f"{self.selector} {selector}")

    def evaluate(self, function: str, given: Any = None) -> Any:
        """Call a function in the page with this element."""
        return self.page.evaluate(_FOUND % (self.selector, self.selector, function), given)

    def look(self, function: str, given: Any = None) -> Any:
        """Call a function with this element that changes nothing; again, where its result was lost."""
        return self.page.look(_FOUND % (self.selector, self.selector, function), given)

    def get_attribute(self, name: str) -> str | None:
        """Give an attribute's value, if there is one."""
        value: str | None = self.look("(element, name) => element.getAttribute(name)", name)
        return value

    def fill(self, text: str) -> None:
        """Put in a value all at once."""
        self.evaluate(_FILL, text)

    def press_sequentially(self, text: str) -> None:
        """Type with real keys."""
        self.click()
        self.page.keyboard.type(text)

    def click(self) -> None:
        """Click it where it is."""
        self.evaluate("(element) => element.scrollIntoView({block: 'center'})")
        self.page.driver.find_element(By.CSS_SELECTOR, self.selector).click()
