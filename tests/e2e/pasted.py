"""Changes that mail programs, chats, terminals and logs make to a dump's text."""
import itertools


def each_line(change):
    return lambda text: "".join(change(line) + "\n" for line in text.splitlines())


def wrapped(columns, soft=False):
    """Breaks lines as a terminal or mail program of this width does: anywhere or, with `soft`, at spaces."""

    def wrap(line):
        pieces = []
        while len(line) > columns:
            at = line.rfind(" ", 1, columns + 1) if soft else -1
            at = at + 1 if at > 0 else columns
            pieces.append(line[:at])
            line = line[at:]
        return "\n".join([*pieces, line])

    return each_line(wrap)


def logged(text):
    """Adds a time to the start of each line, as a log does."""
    seconds = itertools.count(12)
    return each_line(lambda line: "2031-05-04T09:41:%09.6fZ %s" % (next(seconds) / 7 % 60, line))(text)


# None of these changes alters a figure.
PASTES = {
    "quoted": each_line(lambda line: "> " + line),
    "quoted twice": each_line(lambda line: ">> " + line),
    "quoted, blank lines bare": each_line(lambda line: ("> " + line).rstrip()),
    "table bars": each_line(lambda line: "| " + line),
    "bullets": each_line(lambda line: "* " + line),
    "indented": each_line(lambda line: "    " + line),
    "tabs to spaces": lambda text: text.expandtabs(8),
    "tab to one space": lambda text: text.replace("\t", " "),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR CR LF": lambda text: text.replace("\n", "\r\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "hard-wrapped at 80": wrapped(80),
    "hard-wrapped at 72": wrapped(72),
    "wrapped at blanks, 80": wrapped(80, soft=True),
    "hard-wrapped at 80, then quoted": lambda text: each_line(lambda line: "> " + line)(wrapped(80)(text)),
    "trailing blanks stripped": each_line(str.rstrip),
    "blank lines dropped": lambda text: "".join(line + "\n" for line in text.splitlines() if line.strip()),
    "blank lines doubled": lambda text: text.replace("\n", "\n\n"),
    "constant log prefix": each_line(lambda line: "I/gfxinfo( 1234): " + line),
    "log times": logged,
    "no last newline": lambda text: text.rstrip("\n"),
    "words around": lambda text: "Hi,\n\nis this bad?\n\n```\n" + text + "```\n\nThanks\n",
}
