#include "top/screen.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { ESCAPE = 27, PAIR_BAD = 1, PAIR_GOOD, PAIR_WARNING };

static SCREEN *screen;
static struct termios saved_terminal;
static struct dj_terminal_style terminal_style;
static int exit_without_memory; /* Exit code of the program after a failed allocation. */

void dj_top_screen_close(void)
{
    if (screen != NULL) {
        endwin();
        delscreen(screen);
        screen = NULL;
    }
}

/* Restores the terminal without allocating memory, and ends the program. */
static void end_without_memory(void)
{
    static const char words[] =
        "\033[?1049l\033[?25h\033[0m\rdejank top: out of memory\n";
    tcsetattr(STDIN_FILENO, TCSANOW, &saved_terminal);
    bool is_written = write(STDERR_FILENO, words, sizeof(words) - 1) > 0;
    (void)is_written; /* A failed write is ignored, because it cannot be reported. */
    _exit(exit_without_memory);
}

static void start_colors(void)
{
    if (!terminal_style.color || !has_colors()) {
        return;
    }
    start_color();
    use_default_colors();
    init_pair(PAIR_BAD, COLOR_RED, -1);
    init_pair(PAIR_GOOD, COLOR_GREEN, -1);
    init_pair(PAIR_WARNING, COLOR_YELLOW, -1);
}

int dj_top_screen_open(const struct dj_terminal_style *style, int memory_exit_code,
                       struct dj_error *err)
{
    const char *terminal = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
        return dj_error_set(err, DJ_E_UNSUPPORTED, "this is not a terminal");
    }
    tcgetattr(STDIN_FILENO, &saved_terminal);
    terminal_style = *style;
    exit_without_memory = memory_exit_code;
    bool is_dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    screen = is_dumb ? NULL : newterm(NULL, stdout, stdin);
    if (screen == NULL) {
        return dj_error_set(err, DJ_E_UNSUPPORTED, "the terminal '%.40s' is unknown",
                            terminal != NULL ? terminal : "");
    }
    atexit(dj_top_screen_close);
    dj_memory_on_failure(end_without_memory);
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    keypad(stdscr, TRUE);
    set_escdelay(25);
    start_colors();
    return 0;
}

struct dj_terminal_style dj_top_screen_style(int *height)
{
    struct dj_terminal_style style = terminal_style;
    style.width = DJ_LEAST(DJ_MOST(COLS, DJ_TERMINAL_MIN_WIDTH), DJ_TERMINAL_MAX_WIDTH);
    *height = LINES;
    return style;
}

static attr_t get_tone(enum dj_tone tone)
{
    switch (tone) {
    case DJ_TONE_BAD:
        return (attr_t)COLOR_PAIR(PAIR_BAD);
    case DJ_TONE_GOOD:
        return (attr_t)COLOR_PAIR(PAIR_GOOD);
    case DJ_TONE_WARNING:
        return (attr_t)COLOR_PAIR(PAIR_WARNING);
    case DJ_TONE_MUTED:
        return A_DIM;
    default:
        return A_NORMAL;
    }
}

static void draw_line(int y, const struct dj_live_line *line, bool is_selected)
{
    attr_t attributes = line->is_heading ? A_BOLD : get_tone(line->tone);
    if (is_selected) {
        attributes |= A_REVERSE;
    }
    attrset((int)attributes);
    mvaddnstr(y, 0, dj_text_get(&line->text), (int)line->text.length);
    if (is_selected) {
        for (int x = getcurx(stdscr); x < COLS && getcury(stdscr) == y; x++) {
            addch(' ');
        }
    }
    attrset(A_NORMAL);
}

void dj_top_screen_draw(const struct dj_top_picture *picture)
{
    const struct dj_live_screen *lines = picture->lines;
    erase();
    for (int y = 0; y < LINES - 1; y++) {
        size_t at = (size_t)y < picture->fixed ? (size_t)y : (size_t)y + picture->first;
        if (at < lines->count) {
            draw_line(y, &lines->lines[at], (int)at == picture->selected);
        }
    }
    attrset(A_REVERSE);
    mvhline(LINES - 1, 0, ' ', COLS);
    mvaddnstr(LINES - 1, 0, picture->status, COLS - 1);
    attrset(A_NORMAL);
    refresh();
}

static enum dj_top_key translate(int key)
{
    switch (key) {
    case 'q':
        return DJ_TOP_QUIT;
    case KEY_UP:
    case 'k':
        return DJ_TOP_UP;
    case KEY_DOWN:
    case 'j':
        return DJ_TOP_DOWN;
    case KEY_ENTER:
    case '\n':
    case '\r':
        return DJ_TOP_OPEN;
    case ESCAPE:
    case KEY_LEFT:
    case KEY_BACKSPACE:
        return DJ_TOP_BACK;
    case 'p':
    case ' ':
        return DJ_TOP_PAUSE;
    case 's':
        return DJ_TOP_SORT;
    case KEY_RESIZE:
        return DJ_TOP_RESIZED;
    default:
        return DJ_TOP_NONE;
    }
}

enum dj_top_key dj_top_screen_wait(int64_t until_ns)
{
    int64_t left_ms = (until_ns - dj_host_now_ns()) / DJ_MILLISECOND_NS;
    timeout((int)DJ_LEAST(DJ_MOST(left_ms, 0), 1000));
    return translate(getch());
}
