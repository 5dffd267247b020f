"""A Tk window with a square that moves, about 60 frames per second.

usage: tk_scene.py [LIBRARY]

With LIBRARY, the path of libdejank.so, the program declares its frames itself."""

import ctypes
import sys
import tkinter

window = tkinter.Tk()
window.title("Tk scene")
canvas = tkinter.Canvas(window, width=320, height=240, background="white")
canvas.pack()
square = canvas.create_rectangle(0, 60, 60, 120, fill="red")
label = canvas.create_text(160, 200, text="", fill="blue")
library = ctypes.CDLL(sys.argv[1]) if len(sys.argv) > 1 else None
if library:
    library.dejank_frame_begin.argtypes = [ctypes.c_uint64]


def draw(frame):
    if library:
        library.dejank_frame_begin(1)
    canvas.moveto(square, 4 * frame % 260, 60)
    canvas.itemconfigure(label, text=f"frame {frame}")
    window.update_idletasks()
    if library:
        library.dejank_frame_end()
    window.after(16, draw, frame + 1)


draw(0)
window.mainloop()
