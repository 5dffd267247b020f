"""regex_reader.py FILE: reads framestats as most tools do: a regular expression for each line, int() for each number, and percentiles of
FrameCompleted − IntendedVsync by sorting. bench/run compares dejank with it."""
import re
import sys

PROCESS = re.compile(r"^\*\* Graphics info for pid (\d+) \[(.*)\] \*\*")
WINDOW = re.compile(r"^\s*(\S+) \(visibility=(\d+)\)")
ROW = re.compile(r"^(?:-?\d+,)+$")


def read(lines):
    """One dict for each block: process, window and rows. Each row is a dict of its columns."""
    process = window = columns = None
    blocks = []
    for line in lines:
        line = line.rstrip()
        if match := PROCESS.match(line):
            process, columns = match.group(2), None
        elif match := WINDOW.match(line):
            window = match.group(1)
        elif line.startswith("Flags,"):
            columns = line.rstrip(",").split(",")
            blocks.append({"process": process, "window": window, "rows": []})
        elif columns and ROW.match(line):
            blocks[-1]["rows"].append(dict(zip(columns, map(int, line.rstrip(",").split(",")))))
    return blocks


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        for block in read(file):
            times = sorted(row["FrameCompleted"] - row["IntendedVsync"] for row in block["rows"])
            print(block["process"], block["window"], len(times), sum(times),
                  *(times[len(times) * percent // 100] for percent in (50, 90, 95, 99)))


if __name__ == "__main__":
    main()
