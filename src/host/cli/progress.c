#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "memory/memory.h"
#include "report/progress_bar.h"

/* The log of a build server shows a line now and then, so that no server ends a silent
 * job. */
#define PLAIN_EVERY_NS INT64_C(10000000000)

enum { WIDTH_ASSUMED = 80 };

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

void dj_progress_show(struct dj_progress *progress, int64_t elapsed_ns,
                      int64_t duration_ns, const char *what)
{
    struct dj_text line = {0};
    bool timed = duration_ns > 0;
    if (progress->terminal) {
        /* The last column stays free: some terminals wrap once it is written. */
        int width = terminal_width() - 1;
        if (timed) {
            dj_report_progress_bar_append(&line, width, elapsed_ns, duration_ns, what);
        } else {
            dj_text_format(&line, "%.1f s %s", seconds(elapsed_ns), what);
        }
        fprintf(stderr, "\r\033[K%.*s", width, dj_xtext(&line));
        fflush(stderr);
        progress->drawn = true;
    } else if (elapsed_ns - progress->last_line_ns >= PLAIN_EVERY_NS &&
               (!timed || elapsed_ns < duration_ns)) {
        if (timed) {
            dj_text_format(&line, " of %.0f", seconds(duration_ns));
        }
        fprintf(stderr, "%.0f%s s, %s\n", seconds(elapsed_ns), dj_xtext(&line), what);
        progress->last_line_ns = elapsed_ns;
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
