#include "cli/record/outside.h"

#include "cli/messages.h"
#include "cli/stop.h"
#include "report/recording.h"
#include "xpresent/xpresent.h"

bool dj_record_is_outside(const struct dj_record_outside *outside)
{
    return outside->pid != 0 || outside->window != NULL || outside->all;
}

static int check(const struct dj_record_outside *outside,
                 const struct dj_record_shared *shared)
{
    int ways = (outside->pid != 0) + (outside->window != NULL) + outside->all;
    const struct dj_cli_rule rules[] = {
        {ways > 1, "--pid, --window and --all exclude each other"},
        {outside->window != NULL && outside->window[0] == '\0',
         "--window: expected a part of a title"},
        {outside->all && shared->name != NULL,
         "--all and --name exclude each other: every program has its own name"},
    };
    return dj_cli_check_rules(rules, COUNT_OF(rules));
}

static bool write_report(const struct dj_record_outside *outside, const char *report,
                         int64_t run_ns)
{
    struct dj_segment_directory place;
    struct dj_error err = {0};
    if (dj_segment_ensure_directory(&place, &err) != 0) {
        dj_cli_print_message("%s", err.message);
        return false;
    }
    const struct dj_recording recording = {
        .place = &place,
        .program = outside->window != NULL ? outside->window : "X clients",
        .run_ns = run_ns,
        .report = report,
        .messages = &dj_cli_messages,
    };
    return dj_report_write_recording(&recording);
}

int dj_record_run_outside(const struct dj_record_outside *outside,
                          const struct dj_record_shared *shared)
{
    struct dj_error err = {0};
    int result = check(outside, shared);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    dj_stop_handle_signals();
    const struct dj_interrupt_request stop = dj_stop_interrupt();
    const struct dj_xpresent_options options = {
        .pid = outside->pid,
        .window = outside->window,
        .all = outside->all,
        .name = shared->name,
        .dialect =
            dj_frame_dialect_find(shared->release != NULL ? shared->release : "13"),
        .interval_ns = shared->refresh_hz > 0 ? (int64_t)(1e9 / shared->refresh_hz) : 0,
        .keep = (uint32_t)shared->keep,
        .run_ns = dj_host_now_ns(),
        .retention = shared->name != NULL ? DJ_RETAIN_NAMED : DJ_RETAIN_NEWEST,
        .end_ns = outside->for_ns > 0 ? dj_host_now_ns() + outside->for_ns : INT64_MAX,
        .interrupt = &stop,
        .messages = &dj_cli_messages,
    };
    int code = dj_xpresent_record(&options, &err);
    result = dj_cli_finish(code, &err);
    bool has_frames = code == 0 || code == DJ_E_GONE;
    if (shared->report != NULL && has_frames &&
        !write_report(outside, shared->report, options.run_ns)) {
        return result == DJ_EXIT_OK ? DJ_EXIT_DATA : result;
    }
    return result;
}
