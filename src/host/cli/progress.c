#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "memory/memory.h"

/* A log of a build server wants to see that it lives, not more. */
#define PLAIN_EVERY_NS INT64_C(10000000000)

enum { BAR_MOST = 40, BAR_LEAST = 4, WIDTH_ASSUMED = 80 };

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return WIDTH_ASSUMED;
}

void dj_progress_start(struct dj_progress *progress)
{
    const char *terminal = getenv("TERM");
    *progress = (struct dj_progress){.terminal = isatty(STDERR_FILENO) == 1};
    if (terminal != NULL && strcmp(terminal, "dumb") == 0) {
        progress->terminal = false;
    }
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

void dj_progress_cells(struct dj_text *text, int cells, double share)
{
    int full = (int)(share * cells);
    dj_text_string(text, "[");
    for (int i = 0; i < cells; i++) {
        dj_text_string(text, i < full ? "#" : " ");
    }
    dj_text_string(text, "] ");
}

void dj_progress_bar(struct dj_text *text, int width, int64_t elapsed_ns,
                     int64_t duration_ns, const char *what)
{
    char time[64];
    int64_t shown_ns = elapsed_ns < duration_ns ? elapsed_ns : duration_ns;
    double share = duration_ns > 0 ? seconds(shown_ns) / seconds(duration_ns) : 1;
    snprintf(time, sizeof(time), "%.1f/%.1f s", seconds(shown_ns), seconds(duration_ns));
    int time_width = (int)strlen(time);
    int what_width = (int)strlen(what) + 1;
    int cells = width - time_width - what_width - 3;
    bool with_what = cells >= BAR_LEAST;
    cells = with_what ? cells : width - time_width - 3;
    if (cells >= BAR_LEAST) {
        dj_progress_cells(text, cells < BAR_MOST ? cells : BAR_MOST, share);
    }
    dj_text_append(text, time, (size_t)(time_width < width ? time_width : width));
    if (with_what) {
        dj_text_format(text, " %s", what);
    }
}

void dj_progress_show(struct dj_progress *progress, int64_t elapsed_ns,
                      int64_t duration_ns, const char *what)
{
    struct dj_text line = {0};
    bool timed = duration_ns > 0;
    if (progress->terminal) {
        /* The last column stays free: some terminals wrap once it is written. */
        int width = terminal_width() - 1;
        if (timed) {
            dj_progress_bar(&line, width, elapsed_ns, duration_ns, what);
        } else {
            dj_text_format(&line, "%.1f s %s", seconds(elapsed_ns), what);
        }
        fprintf(stderr, "\r\033[K%.*s", width, dj_xtext(&line));
        fflush(stderr);
        progress->drawn = true;
    } else if (elapsed_ns - progress->told_ns >= PLAIN_EVERY_NS &&
               (!timed || elapsed_ns < duration_ns)) {
        if (timed) {
            dj_text_format(&line, " of %.0f", seconds(duration_ns));
        }
        fprintf(stderr, "%.0f%s s, %s\n", seconds(elapsed_ns), dj_xtext(&line), what);
        progress->told_ns = elapsed_ns;
    }
    dj_text_finish(&line);
}

void dj_progress_clear(struct dj_progress *progress)
{
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        progress->drawn = false;
    }
}
