/* Draws on the full screen of a terminal for `dejank top`. Only one screen can be
 * open. */
#ifndef DEJANK_TOP_SCREEN_H
#define DEJANK_TOP_SCREEN_H

#include "report/live.h"

/* A key that the user pressed, or another event. */
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

/* Switches the terminal to a full screen until dj_top_screen_close(). The end of the
 * program restores the terminal too. After a failed allocation, the terminal is restored
 * and the program ends with the exit code `memory_exit_code`. `style` describes the
 * terminal's abilities. The caller must have set the locale. Returns DJ_E_UNSUPPORTED if
 * stdout is not a terminal, or if $TERM names an unknown or dumb terminal. */
int dj_top_screen_open(const struct dj_terminal_style *style, int memory_exit_code,
                       struct dj_error *err);
void dj_top_screen_close(void);

/* Returns the size and the abilities of the terminal. Sets *height to the number of its
 * lines. */
struct dj_terminal_style dj_top_screen_style(int *height);

/* The content of the screen: lines of text from number `first` on, and `status` in the
 * last line. The line `selected` is highlighted (−1: none). The lines before number
 * `fixed` are always shown. */
struct dj_top_picture {
    const struct dj_live_screen *lines;
    size_t fixed, first;
    int selected;
    const char *status;
};
void dj_top_screen_draw(const struct dj_top_picture *picture);

/* Waits for a key, until the host time until_ns at the latest. A signal ends the wait
 * too. */
enum dj_top_key dj_top_screen_wait(int64_t until_ns);

#endif
