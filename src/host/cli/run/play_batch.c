#include "cli/run/play_plan.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/progress_view.h"
#include "cli/stop.h"
#include "cli/terminal_style.h"
#include "measure/settings.h"
#include "output/file.h"
#include "report/run_sums.h"

struct playing {
    struct dj_progress_view *view;
    struct dj_run_sums *sums;
};

static void show_event(void *user, const struct dj_play_event *event)
{
    struct playing *playing = user;
    dj_report_run_sums_add(playing->sums, event);
    dj_progress_view_add_event(playing->view, event);
}

static int choose_exit_code(const struct dj_play_result *result)
{
    return result->clean >= result->planned ? DJ_EXIT_OK
           : result->devices_failed > 0     ? dj_cli_exit_code(result->error.code)
                                            : DJ_EXIT_DATA;
}

/* Returns whether a run began. If none began, there is no batch to resume, and the error
 * has already been printed. */
static bool has_begun(const struct dj_play_result *result)
{
    return result->clean > 0 || result->failed > 0 || result->interrupted;
}

/* Prints the result on stderr, for verbs and scripts that use stdout for other output. */
static void print_counts(const struct dj_play_result *result)
{
    char disturbed[64] = "";
    if (result->disturbed > 0) {
        snprintf(disturbed, sizeof(disturbed), ", %" PRId64 " of them disturbed",
                 result->disturbed);
    }
    dj_cli_print_message("%" PRId64 " of %" PRId64 " runs are usable%s, %" PRId64
                         " attempts failed",
                         result->clean, result->planned, disturbed, result->failed);
}

static int print_sums(const struct dj_run_sums *sums, const struct dj_play_result *result,
                      const char *store)
{
    struct dj_document document = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    dj_report_build_run_sums(&document, sums, result, store);
    dj_cli_append_document(&text, &document, false);
    return dj_cli_finish_output(0, &text, &err);
}

static int print_result(const struct dj_run_sums *sums,
                        const struct dj_play_result *result,
                        const struct dj_play_options *run)
{
    int code = DJ_EXIT_OK;
    if (!has_begun(result)) {
        return code;
    }
    if (run->json_lines || run->silent) {
        print_counts(result);
    } else {
        code = print_sums(sums, result, run->store);
    }
    if (result->clean < result->planned && run->batch_ids == NULL) {
        dj_cli_print_message("%s; to add the missing runs, repeat the command with "
                             "--resume",
                             result->interrupted ? "interrupted" : "some runs failed");
    }
    return code;
}

/* Copies the ids of the batches. If a build has several batches, the earlier ones were
 * excluded and repeated, so the id of the last one is copied. */
static void copy_batch_ids(const struct dj_run_sums *sums, char (*ids)[DJ_STORE_ID_BYTES])
{
    for (size_t i = 0; i < sums->plan->build_count; i++) {
        ids[i][0] = '\0';
    }
    for (size_t i = 0; i < sums->count; i++) {
        const struct dj_run_sum *sum = &sums->sums[i];
        if (!sum->left_out && sum->runs > 0) {
            memcpy(ids[sum->build - sums->plan->builds], sum->batch, DJ_STORE_ID_BYTES);
        }
    }
}

static int play(const struct dj_batch_plan *plan, struct dj_store *history,
                const char *self, const struct dj_play_options *run)
{
    struct dj_run_sums sums = {.plan = plan};
    struct playing playing = {dj_progress_view_create(plan, run->json_lines), &sums};
    struct dj_play_result result = {0};
    struct dj_error err = {0};
    const struct dj_play_context world = {
        .event = show_event,
        .user = &playing,
        .stop = dj_stop_interrupt(),
        /* When this request interrupts, settings of devices stay changed. The next dejank
         * restores them from the journal, which contains the original values. */
        .give_up = dj_stop_abort_interrupt(),
        .self = self,
    };
    int code = dj_measure_play(plan, history, &world, &result, &err);
    dj_progress_view_destroy(playing.view);
    int exit_code = code != 0 ? dj_cli_finish(code, &err) : choose_exit_code(&result);
    int printed = print_result(&sums, &result, run);
    if (run->batch_ids != NULL) {
        copy_batch_ids(&sums, run->batch_ids);
    }
    dj_report_run_sums_finish(&sums);
    return exit_code != DJ_EXIT_OK ? exit_code : printed;
}

/* Restores the settings that a killed dejank left on any connected device, also on
 * devices outside this plan. */
static void restore_settings(void)
{
    const struct dj_settings_listener talk = {dj_cli_send_message, NULL};
    struct dj_error err = {0};
    size_t done, left;
    dj_cli_finish(dj_measure_settings_restore_all(true, &talk, &done, &left, &err), &err);
}

int dj_play_batch_plan(const struct dj_batch_plan *plan, const char *store,
                       const struct dj_play_options *run)
{
    struct dj_store *history;
    struct dj_error err = {0};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = '\0';
    int exit_code = DJ_EXIT_OK;
    if (length <= 0) {
        dj_cli_print_message("cannot read /proc/self/exe");
        return DJ_EXIT_INTERNAL;
    }
    int code = dj_store_open(store, DJ_STORE_CREATE, &history, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    dj_stop_handle_signals();
    restore_settings();
    if (!dj_stop_is_requested()) {
        struct dj_play_options options = *run;
        options.store = store;
        exit_code = play(plan, history, self, &options);
    }
    dj_store_close(history);
    return exit_code;
}
