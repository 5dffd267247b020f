#include "measure/run/outcome.h"

#include <inttypes.h>

#include "base/checked.h"

static bool is_interrupted(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    return facts->interrupted && dj_conditions_set_reason(reason, "interrupted");
}

static bool is_device_gone(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    const struct dj_error *errors[] = {
        &facts->start, &facts->collect, &facts->drive,
        facts->collection != NULL ? &facts->collection->error : NULL};
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        if (errors[i] != NULL && errors[i]->code == DJ_E_GONE) {
            return dj_conditions_set_reason(reason, "%s", errors[i]->message);
        }
    }
    return facts->device_gone &&
           dj_conditions_set_reason(reason, "the device does not answer any more");
}

static bool has_app_crashed(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    /* The driver's reason also names the test in which the app crashed. */
    if (facts->log->outcome == DJ_RUN_APP_CRASHED) {
        return dj_conditions_set_reason(reason, "%s", facts->log->reason);
    }
    return facts->end->state == DJ_APP_CRASHED &&
           dj_conditions_set_reason(reason, "%s", facts->end->cause);
}

static bool has_instrumentation_failed(const struct dj_run_facts *facts,
                                       char reason[DJ_REASON])
{
    return facts->log->outcome == DJ_RUN_INSTRUMENTATION_FAILED &&
           dj_conditions_set_reason(reason, "%s", facts->log->reason);
}

/* Returns true if the last reading came after the end of all windows of the driver. If
 * the app's process ended before the last reading, its last frames are lost. */
static bool was_all_read(const struct dj_run_facts *facts)
{
    int64_t read_ns =
        dj_checked_add_saturated(facts->collection->alive_ns, facts->log->uncertainty_ns);
    for (size_t i = 0; i < facts->log->window_count; i++) {
        if (facts->log->windows[i].span.end_ns > read_ns) {
            return false;
        }
    }
    return facts->log->window_count > 0;
}

static bool is_app_gone(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    const struct dj_collection *collection = facts->collection;
    const char *cause = facts->end->cause;
    if (facts->start.code == 0 && collection != NULL &&
        (collection->outcome == DJ_COLLECT_ENDED ||
         collection->outcome == DJ_COLLECT_NOT_RUNNING)) {
        if (facts->app_may_end && was_all_read(facts)) {
            return false;
        }
        return dj_conditions_set_reason(
            reason, "%s%s%s",
            collection->outcome == DJ_COLLECT_NOT_RUNNING ? "the app does not run"
            : collection->restarts > 0
                ? "the app's process ended during the measurement, and another one "
                  "started"
                : "the app's process ended during the measurement",
            cause[0] != '\0' ? ": " : "", cause);
    }
    if (facts->start.code == 0 && collection != NULL &&
        collection->outcome == DJ_COLLECT_GONE) {
        return dj_conditions_set_reason(reason, "the app does not answer: %s",
                                        collection->error.message);
    }
    if (facts->start.code == 0 &&
        (facts->collect.code == DJ_E_NO_DATA || facts->collect.code == DJ_E_TIMEOUT)) {
        return dj_conditions_set_reason(reason, "the app does not answer: %s",
                                        facts->collect.message);
    }
    return facts->start.code != 0 && !facts->preparing &&
           dj_conditions_set_reason(reason, "%s", facts->start.message);
}

static bool has_drive_failed(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    if (facts->start.code != 0) {
        return dj_conditions_set_reason(reason, "%s", facts->start.message);
    }
    if (facts->drive.code != 0) {
        return dj_conditions_set_reason(reason, "%s", facts->drive.message);
    }
    return facts->log->outcome == DJ_RUN_DRIVE_FAILED &&
           dj_conditions_set_reason(reason, "%s", facts->log->reason);
}

static bool was_screen_off(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    const struct dj_conditions *conditions[] = {facts->before, facts->after};
    for (size_t i = 0; i < 2; i++) {
        if (conditions[i] != NULL && conditions[i]->facts.screen_on == DJ_KNOWN_NO) {
            return dj_conditions_set_reason(reason, "the screen was off %s the run",
                                            i == 0 ? "before" : "after");
        }
        if (conditions[i] != NULL && conditions[i]->facts.locked == DJ_KNOWN_YES) {
            return dj_conditions_set_reason(reason, "the screen was locked %s the run",
                                            i == 0 ? "before" : "after");
        }
    }
    return false;
}

static bool is_overheated(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    return (facts->before != NULL &&
            dj_conditions_is_overheated(facts->before, &facts->limits, reason)) ||
           (facts->after != NULL &&
            dj_conditions_is_overheated(facts->after, &facts->limits, reason));
}

static bool was_read(const struct dj_run_facts *facts)
{
    return facts->collection != NULL && facts->collect.code == 0;
}

static bool has_drawn_nothing(const struct dj_run_facts *facts)
{
    return was_read(facts) && facts->collection->outcome == DJ_COLLECT_NO_FRAMES;
}

static bool is_not_in_gfxinfo(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    return has_drawn_nothing(facts) && facts->layer[0] != '\0' &&
           dj_conditions_set_reason(reason,
                                    "the app draws in layer %s, which gfxinfo does not "
                                    "show (as with Flutter, games and video players)",
                                    facts->layer);
}

static bool has_no_frames(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    if (!was_read(facts)) {
        return dj_conditions_set_reason(reason, "%s",
                                        facts->collect.code != 0 ? facts->collect.message
                                                                 : "no data was read");
    }
    return has_drawn_nothing(facts) &&
           dj_conditions_set_reason(reason,
                                    "the app drew no frame during the measurement");
}

static bool has_lost_rows(const struct dj_run_facts *facts, char reason[DJ_REASON])
{
    const struct dj_recovery *recovery = &facts->collection->recovery;
    int64_t lost = recovery->expected - recovery->recovered;
    if (facts->collection->foreign_resets > 0) {
        return dj_conditions_set_reason(reason,
                                        "another program reset the counters %zu times",
                                        facts->collection->foreign_resets);
    }
    return !facts->aggregate_only && lost > DJ_ROWS_LOST_FEW &&
           (double)lost > DJ_ROWS_LOST_SHARE * (double)recovery->expected &&
           dj_conditions_set_reason(
               reason, "%" PRId64 " of %" PRId64 " frames were counted but have no rows",
               lost, recovery->expected);
}

/* The rules. The first rule that holds decides the outcome. Rules about the end of a run
 * come before rules about missing data. Each rule may assume that the rules before it do
 * not hold. */
static const struct {
    bool (*holds)(const struct dj_run_facts *facts, char reason[DJ_REASON]);
    enum dj_run_outcome outcome;
} rules[] = {
    {is_interrupted, DJ_RUN_INTERRUPTED},
    {is_device_gone, DJ_RUN_DEVICE_GONE},
    {has_app_crashed, DJ_RUN_APP_CRASHED},
    {has_instrumentation_failed, DJ_RUN_INSTRUMENTATION_FAILED},
    {is_app_gone, DJ_RUN_APP_GONE},
    {was_screen_off, DJ_RUN_SCREEN_OFF},
    {has_drive_failed, DJ_RUN_DRIVE_FAILED},
    {is_overheated, DJ_RUN_OVERHEATED},
    {is_not_in_gfxinfo, DJ_RUN_NOT_IN_GFXINFO},
    {has_no_frames, DJ_RUN_NO_FRAMES},
    {has_lost_rows, DJ_RUN_ROWS_LOST},
};

struct dj_run_verdict dj_outcome_decide(const struct dj_run_facts *facts)
{
    struct dj_run_verdict verdict = {.outcome = DJ_RUN_OK};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (rules[i].holds(facts, verdict.reason)) {
            verdict.outcome = rules[i].outcome;
            return verdict;
        }
    }
    verdict.reason[0] = '\0';
    return verdict;
}

bool dj_outcome_is_final(enum dj_run_outcome outcome)
{
    return outcome == DJ_RUN_NOT_IN_GFXINFO || outcome == DJ_RUN_INTERRUPTED;
}
