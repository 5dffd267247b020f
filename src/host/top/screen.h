/* A full-screen terminal for `dejank top`. Only one can be open. */
#ifndef DEJANK_TOP_SCREEN_H
#define DEJANK_TOP_SCREEN_H

#include "report/live.h"

/* What the user pressed. */
enum dj_top_key {
    DJ_TOP_NONE,
    DJ_TOP_QUIT,
    DJ_TOP_UP,
    DJ_TOP_DOWN,
    DJ_TOP_OPEN,
    DJ_TOP_BACK,
    DJ_TOP_PAUSE,
    DJ_TOP_SORT,
    DJ_TOP_RESIZED
};

/* Switches the terminal to a full screen, until dj_top_screen_close(). It is also closed
 * at the end of the program and after a failed allocation, which ends the program with
 * `memory_exit_code`. `style` has the abilities of the terminal; the caller has set the
 * locale. Returns DJ_E_UNSUPPORTED if
 * stdout is not a terminal or if $TERM names an unknown or a dumb one. */
int dj_top_screen_open(const struct dj_terminal_style *style, int memory_exit_code,
                       struct dj_error *err);
void dj_top_screen_close(void);

/* Returns the size and the abilities of the terminal. Sets *height to the number of its
 * lines. */
struct dj_terminal_style dj_top_screen_style(int *height);

/* Shows the lines from number `first` on, and `status` in the last line. Highlights the
 * line `selected`, or none if it is −1. The lines before `fixed` are always shown. */
struct dj_top_picture {
    const struct dj_live_screen *lines;
    size_t fixed, first;
    int selected;
    const char *status;
};
void dj_top_screen_draw(const struct dj_top_picture *picture);

/* Waits for a key, at most until a host time. Signals end the wait. */
enum dj_top_key dj_top_screen_wait(int64_t until_ns);

#endif
