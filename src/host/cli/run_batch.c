#include "cli/run_batch.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/run_show.h"
#include "cli/run_sums.h"
#include "measure/settings.h"

/* What a device that answers needs for the last reading. */
#define LAST_READING_NS DJ_SECOND_NS

static _Atomic int64_t stop_by_ns = INT64_MAX;
static _Atomic int64_t give_up_by_ns = INT64_MAX;
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a signal handler may write it");

/* Under nohup a terminal that goes away is to end nothing. */
static bool is_ignored(int signal)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void set_handler(void (*handler)(int signal))
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < 3; i++) {
        sigaddset(&action.sa_mask, signals[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        if (signals[i] != SIGHUP || !is_ignored(SIGHUP)) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

/* The first one ends the runs in flight and keeps their books, a second one leaves the
 * devices as they are (the journal remembers), a third ends us. */
static void on_signal(int signal)
{
    (void)signal;
    if (stop_by_ns == INT64_MAX) {
        stop_by_ns = dj_host_now_ns() + LAST_READING_NS;
    } else if (give_up_by_ns == INT64_MAX) {
        give_up_by_ns = 0;
    } else {
        set_handler(SIG_DFL);
    }
}

static int64_t stop_ns(void *user)
{
    (void)user;
    return stop_by_ns;
}

static int64_t give_up_ns(void *user)
{
    (void)user;
    return give_up_by_ns;
}

/* ---- one plan ---- */

struct playing {
    struct dj_run_view *view;
    struct dj_run_sums *sums;
};

static void on_event(void *user, const struct dj_play_event *event)
{
    struct playing *playing = user;
    dj_run_sums_event(playing->sums, event);
    dj_run_view_event(playing->view, event);
}

static int exit_of(const struct dj_play_result *result)
{
    if (result->clean >= result->planned) {
        return DJ_EXIT_OK;
    }
    if (result->devices_failed > 0) {
        return (int)dj_exit_for(result->error.code);
    }
    return DJ_EXIT_DATA;
}

/* A failure before the first run is printed already, and there is no batch to resume. */
static bool has_started(const struct dj_play_result *result)
{
    return result->clean > 0 || result->failed > 0 || result->interrupted;
}

static void print_result(const struct dj_play_result *result)
{
    char disturbed[64] = "";
    if (!has_started(result)) {
        return;
    }
    if (result->disturbed > 0) {
        snprintf(disturbed, sizeof(disturbed), ", %" PRId64 " of them disturbed",
                 result->disturbed);
    }
    dj_complain("run",
                "%" PRId64 " of %" PRId64 " runs %s%s, %" PRId64 " attempts failed",
                result->clean, result->planned,
                result->disturbed > 0 ? "count" : "are clean", disturbed, result->failed);
    if (result->clean < result->planned) {
        dj_complain("run", "%s; the same command with --resume makes what is missing",
                    result->interrupted ? "interrupted" : "not all could be made");
    }
}

static int print_sums(const struct dj_run_sums *sums)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    dj_run_sums_text(&text, sums);
    int code = dj_output_print(&text, &err);
    dj_text_finish(&text);
    if (code != 0) {
        dj_complain("run", "%s", err.message);
    }
    return (int)dj_exit_for(code);
}

static int play(const struct dj_batch_plan *plan, struct dj_history *history,
                const char *self, const struct dj_run_show *show)
{
    struct dj_run_sums sums = {.plan = plan};
    struct playing playing = {dj_run_view_open(plan, show->json_lines), &sums};
    struct dj_play_result result = {0};
    struct dj_error err = {0};
    const struct dj_play_world world = {
        .event = on_event,
        .user = &playing,
        .stop = {.latest_ns = stop_ns},
        .give_up = {.latest_ns = give_up_ns},
        .self = self,
    };
    int code = dj_play(plan, history, &world, &result, &err);
    dj_run_view_close(playing.view);
    int exit_code = code != 0 ? (int)dj_exit_for(code) : exit_of(&result);
    int printed = show->json_lines || show->silent ? DJ_EXIT_OK : print_sums(&sums);
    if (code != 0) {
        dj_complain("run", "%s", err.message);
    }
    print_result(&result);
    dj_run_sums_finish(&sums);
    return exit_code != DJ_EXIT_OK ? exit_code : printed;
}

/* ---- all ---- */

static void say_restored(void *user, const char *sentence)
{
    (void)user;
    dj_complain("run", "%s", sentence);
}

/* What a dejank that was killed left set, also on devices that are not of this plan,
 * where they are there. */
static void restore_what_was_left(void)
{
    const struct dj_settings_talk talk = {say_restored, NULL};
    struct dj_error err = {0};
    size_t done, left;
    if (dj_settings_restore_all(true, &talk, &done, &left, &err) != 0) {
        dj_complain("run", "%s", err.message);
    }
}

static bool find_self(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

int dj_run_batch(const struct dj_batch_plan *plan, const struct dj_run_show *show)
{
    struct dj_history *history;
    struct dj_error err = {0};
    char self[PATH_MAX];
    int exit_code = DJ_EXIT_OK;
    if (!find_self(self)) {
        dj_complain("run", "cannot read /proc/self/exe");
        return DJ_EXIT_INTERNAL;
    }
    int code = dj_history_open(show->store, DJ_HISTORY_CREATE, &history, &err);
    if (code != 0) {
        dj_complain("run", "%s", err.message);
        return (int)dj_exit_for(code);
    }
    set_handler(on_signal);
    restore_what_was_left();
    if (stop_by_ns == INT64_MAX) {
        exit_code = play(plan, history, self, show);
    }
    dj_history_close(history);
    return exit_code;
}
