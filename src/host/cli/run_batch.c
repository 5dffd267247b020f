#include "cli/run_plan.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/run_show.h"
#include "cli/stop.h"
#include "device/output_file.h"
#include "measure/settings.h"
#include "report/run_sums.h"

struct playing {
    struct dj_run_view *view;
    struct dj_run_sums *sums;
};

static void show_event(void *user, const struct dj_play_event *event)
{
    struct playing *playing = user;
    dj_run_sums_event(playing->sums, event);
    dj_run_view_event(playing->view, event);
}

static int choose_exit_code(const struct dj_play_result *result)
{
    return result->clean >= result->planned ? DJ_EXIT_OK
           : result->devices_failed > 0     ? dj_exit_for(result->error.code)
                                            : DJ_EXIT_DATA;
}

static void print_result(const struct dj_play_result *result)
{
    char disturbed[64] = "";
    /* A failure before the first run has been printed already, and there is no batch to
     * resume. */
    if (result->clean == 0 && result->failed == 0 && !result->interrupted) {
        return;
    }
    if (result->disturbed > 0) {
        snprintf(disturbed, sizeof(disturbed), ", %" PRId64 " of them disturbed",
                 result->disturbed);
    }
    dj_complain("%" PRId64 " of %" PRId64 " runs %s%s, %" PRId64 " attempts failed",
                result->clean, result->planned,
                result->disturbed > 0 ? "count" : "are clean", disturbed, result->failed);
    if (result->clean < result->planned) {
        dj_complain("%s; the same command with --resume makes what is missing",
                    result->interrupted ? "interrupted" : "not all could be made");
    }
}

static int print_sums(const struct dj_run_sums *sums)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    dj_run_sums_text(&text, sums);
    return dj_output_end(0, &text, &err);
}

static int play(const struct dj_batch_plan *plan, struct dj_history *history,
                const char *self, const struct dj_plan_run *run)
{
    struct dj_run_sums sums = {.plan = plan};
    struct playing playing = {dj_run_view_open(plan, run->json_lines), &sums};
    struct dj_play_result result = {0};
    struct dj_error err = {0};
    const struct dj_play_world world = {
        .event = show_event,
        .user = &playing,
        .stop = dj_stop_interrupt(),
        .give_up = dj_stop_give_up(), /* leaves the devices changed: the journal remembers
                                         their settings */
        .self = self,
    };
    int code = dj_play(plan, history, &world, &result, &err);
    dj_run_view_close(playing.view);
    int printed = run->json_lines || run->silent ? DJ_EXIT_OK : print_sums(&sums);
    int exit_code = code != 0 ? dj_verb_end(code, &err) : choose_exit_code(&result);
    print_result(&result);
    dj_run_sums_finish(&sums);
    return exit_code != DJ_EXIT_OK ? exit_code : printed;
}

/* Restores the settings that a killed dejank left on any connected device, also on
 * devices outside this plan. */
static void restore_settings(void)
{
    const struct dj_settings_talk talk = {dj_say, NULL};
    struct dj_error err = {0};
    size_t done, left;
    dj_verb_end(dj_settings_restore_all(true, &talk, &done, &left, &err), &err);
}

int dj_run_batch(const struct dj_batch_plan *plan, const char *store,
                 const struct dj_plan_run *run)
{
    struct dj_history *history;
    struct dj_error err = {0};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = '\0';
    int exit_code = DJ_EXIT_OK;
    if (length <= 0) {
        dj_complain("cannot read /proc/self/exe");
        return DJ_EXIT_INTERNAL;
    }
    int code = dj_history_open(store, DJ_HISTORY_CREATE, &history, &err);
    if (code != 0) {
        return dj_verb_end(code, &err);
    }
    dj_stop_watch();
    restore_settings();
    if (!dj_stop_asked()) {
        exit_code = play(plan, history, self, run);
    }
    dj_history_close(history);
    return exit_code;
}
