#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "memory/memory.h"
#include "process/deadline.h"
#include "report/progress_bar.h"

/* Without a terminal, a line is printed at this interval, because some build servers end
 * jobs that print nothing. */
#define PLAIN_EVERY_NS (10 * DJ_SECOND_NS)
/* A job that ends before this time draws nothing. */
#define FIRST_NS DJ_SECOND_NS
#define REDRAW_NS (200 * DJ_MILLISECOND_NS)

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
    if (progress->terminal && elapsed_ns < FIRST_NS && !progress->drawn) {
        return;
    }
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

/* The job that is shown, or NULL. Only the thread that began the job changes the pointer.
 */
static struct dj_progress_job *shown_job;

static void *show_job(void *user)
{
    struct dj_progress_job *job = user;
    pthread_mutex_lock(&job->background.lock);
    while (!job->background.is_ending) {
        if (dj_background_sleep(&job->background, dj_host_now_ns() + REDRAW_NS)) {
            dj_progress_show(&job->progress, dj_host_now_ns() - job->start_ns, 0,
                             job->what);
        }
    }
    pthread_mutex_unlock(&job->background.lock);
    return NULL;
}

void dj_progress_begin_job(struct dj_progress_job *job, const char *what)
{
    *job = (struct dj_progress_job){.start_ns = dj_host_now_ns()};
    dj_progress_start(&job->progress);
    snprintf(job->what, sizeof(job->what), "%s", what);
    dj_background_init(&job->background);
    shown_job = job;
    /* If the thread cannot be created, the job runs without a display. */
    if (job->progress.terminal) {
        dj_background_start(&job->background, show_job, job);
    }
}

void dj_progress_update_job(struct dj_progress_job *job, const char *what)
{
    struct dj_text safe = {0};
    dj_text_append_escaped(&safe, what, strlen(what));
    pthread_mutex_lock(&job->background.lock);
    snprintf(job->what, sizeof(job->what), "%s", dj_xtext(&safe));
    pthread_mutex_unlock(&job->background.lock);
    dj_text_finish(&safe);
}

void dj_progress_end_job(struct dj_progress_job *job)
{
    dj_background_end(&job->background);
    shown_job = NULL;
    dj_progress_clear(&job->progress);
    dj_background_finish(&job->background);
}

void dj_progress_hide_job(void)
{
    struct dj_progress_job *job = shown_job;
    if (job != NULL) {
        pthread_mutex_lock(&job->background.lock);
        dj_progress_clear(&job->progress);
        pthread_mutex_unlock(&job->background.lock);
    }
}
