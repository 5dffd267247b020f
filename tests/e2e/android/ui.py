"""The content of a stand-in's screen: a title, a list that scrolls, a text field and a button."""

from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr


@dataclass
class Ui:
    title: str = "Stand-in"
    items: list = field(default_factory=lambda: [f"Item {number}" for number in range(60)])
    item_px: int = 180
    offset: int = 0  # scroll position of the list in px
    text: str = ""  # text in the field
    pressed: int = 0  # how often the button was pressed
    scrollable: bool = True
    never_idle: bool = False  # something always moves, so uiautomator cannot dump
    idle_timeout_s: float = 10.0

    def list_bounds(self, size):
        return 0, 240, size[0], size[1] - 300

    def nodes(self, package, size):
        """(depth, class, id, text, desc, bounds, flags) in document order."""
        width, height = size
        left, top, right, bottom = self.list_bounds(size)
        yield 0, "android.widget.FrameLayout", "", "", "", (0, 0, width, height), ""
        yield 1, "android.widget.TextView", f"{package}:id/title", self.title, "", (40, 80, width - 40, 220), ""
        yield (1, "androidx.recyclerview.widget.RecyclerView", f"{package}:id/list", "", "", (left, top, right, bottom),
               "scrollable focusable" if self.scrollable else "")
        for number, item in enumerate(self.items):
            upper = top + number * self.item_px - self.offset
            lower = upper + self.item_px
            if lower > top and upper < bottom:
                yield (2, "android.widget.TextView", f"{package}:id/row", item, "",
                       (left, max(upper, top), right, min(lower, bottom)), "clickable focusable")
        yield (1, "android.widget.EditText", f"{package}:id/field", self.text, "",
               (40, height - 280, width - 300, height - 160), "clickable focusable long-clickable")
        yield (1, "android.widget.ImageButton", f"{package}:id/add", "", "Add",
               (width - 260, height - 280, width - 40, height - 60), "clickable focusable")

    def xml(self, package, size, rotation):
        out = [f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">"]
        open_depths, counts = [], {}
        for depth, cls, ident, text, desc, bounds, flags in self.nodes(package, size):
            while open_depths and open_depths[-1] >= depth:
                counts.pop(open_depths.pop() + 1, None)
                out.append("</node>")
            index = counts.get(depth, 0)
            counts[depth] = index + 1
            flags = flags.split()
            words = [("index", index), ("text", text), ("resource-id", ident), ("class", cls), ("package", package),
                     ("content-desc", desc)]
            words += [(name, str(name in flags).lower()) for name in ("checkable", "checked", "clickable")]
            words += [("enabled", "true")]
            words += [(name, str(name in flags).lower()) for name in ("focusable", "focused", "scrollable", "long-clickable",
                                                                      "password", "selected")]
            words += [("bounds", "[{},{}][{},{}]".format(*bounds))]
            out.append("<node " + " ".join(f"{name}={quoteattr(str(value), {chr(10): '&#10;'})}" for name, value in words) + ">")
            open_depths.append(depth)
        out.append("</node>" * len(open_depths) + "</hierarchy>")
        return "".join(out)

    def scroll(self, pixels, size):
        _, top, _, bottom = self.list_bounds(size)
        most = max(0, len(self.items) * self.item_px - (bottom - top))
        self.offset = max(0, min(most, self.offset + int(pixels)))

    def tapped(self, x, y, size):
        if x >= size[0] - 260 and size[1] - 280 <= y < size[1] - 60:
            self.pressed += 1
