"""A Tk window with a square that moves, about 60 frames per second."""

import tkinter

window = tkinter.Tk()
window.title("Tk scene")
canvas = tkinter.Canvas(window, width=320, height=240, background="white")
canvas.pack()
square = canvas.create_rectangle(0, 60, 60, 120, fill="red")
label = canvas.create_text(160, 200, text="", fill="blue")


def draw(frame):
    canvas.moveto(square, 4 * frame % 260, 60)
    canvas.itemconfigure(label, text=f"frame {frame}")
    window.after(16, draw, frame + 1)


draw(0)
window.mainloop()
