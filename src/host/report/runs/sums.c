#include "report/run_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/run_event.h"

static const struct {
    enum dj_metric metric;
    double factor;
} figures[DJ_SUM_FIGURES] = {
    {DJ_METRIC_FRAME_TIME_P50, 1e-6},
    {DJ_METRIC_FRAME_TIME_P95, 1e-6},
    {DJ_METRIC_JANKY_PCT, 1},
};

void dj_report_run_sums_finish(struct dj_run_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        for (size_t k = 0; k < DJ_SUM_FIGURES; k++) {
            free(sums->sums[i].figures[k]);
        }
    }
    free(sums->sums);
    free(sums->causes);
    *sums = (struct dj_run_sums){.plan = sums->plan};
}

static void add_batch(struct dj_run_sums *sums, const struct dj_play_event *event)
{
    DJ_XROOM(sums->sums, sums->count);
    struct dj_run_sum *sum = &sums->sums[sums->count++];
    *sum = (struct dj_run_sum){.device = event->device,
                               .flow = event->flow,
                               .build = event->build,
                               .resumed = event->resumed};
    snprintf(sum->batch, sizeof(sum->batch), "%s", event->batch);
}

static struct dj_run_sum *find(struct dj_run_sums *sums, const char *batch)
{
    for (size_t i = 0; i < sums->count; i++) {
        if (strcmp(sums->sums[i].batch, batch) == 0) {
            return &sums->sums[i];
        }
    }
    return NULL;
}

/* Splits a remark such as "load: other programs …" into the cause and what happened. The
 * remark of a failed run has no cause: its outcome is the cause. */
static struct dj_run_cause describe_cause(const struct dj_run_sums *sums,
                                          const struct dj_run_sum *sum,
                                          enum dj_run_fault fault,
                                          const struct dj_play_event *event)
{
    struct dj_run_cause cause = {.sum = (size_t)(sum - sums->sums), .fault = fault};
    const char *remark = event->message != NULL ? event->message : "";
    const char *colon = strstr(remark, ": ");
    struct dj_text words = {0};
    if (fault == DJ_FAULT_FAILED) {
        dj_report_run_outcome(&words, event->outcome);
    } else if (colon != NULL) {
        dj_text_append(&words, remark, (size_t)(colon - remark));
        remark = colon + 2;
    } else {
        dj_text_add(&words, "unknown cause");
    }
    snprintf(cause.cause, sizeof(cause.cause), "%s", dj_xtext(&words));
    snprintf(cause.example, sizeof(cause.example), "%s", remark);
    dj_text_finish(&words);
    return cause;
}

static void count_cause(struct dj_run_sums *sums, const struct dj_run_sum *sum,
                        enum dj_run_fault fault, const struct dj_play_event *event)
{
    struct dj_run_cause cause = describe_cause(sums, sum, fault, event);
    struct dj_run_cause *found = NULL;
    for (size_t i = 0; i < sums->cause_count && found == NULL; i++) {
        struct dj_run_cause *at = &sums->causes[i];
        bool is_same = at->sum == cause.sum && at->fault == fault &&
                       strcmp(at->cause, cause.cause) == 0;
        found = is_same ? at : NULL;
    }
    if (found == NULL) {
        DJ_XROOM(sums->causes, sums->cause_count);
        found = &sums->causes[sums->cause_count++];
        *found = cause;
    }
    memcpy(found->example, cause.example, sizeof(found->example));
    found->attempts++;
}

/* Counts the last disturbed run as repeated instead of disturbed, because dejank runs
 * it again. */
static void move_to_repeated(struct dj_run_sums *sums, const struct dj_run_sum *sum,
                             const struct dj_play_event *event)
{
    struct dj_run_cause cause = describe_cause(sums, sum, DJ_FAULT_DISTURBED, event);
    for (size_t i = 0; i < sums->cause_count; i++) {
        struct dj_run_cause *at = &sums->causes[i];
        if (at->sum == cause.sum && at->fault == DJ_FAULT_DISTURBED && at->attempts > 0 &&
            strcmp(at->cause, cause.cause) == 0) {
            at->attempts--;
        }
    }
    count_cause(sums, sum, DJ_FAULT_REPEATED, event);
}

static void add_run(struct dj_run_sums *sums, const struct dj_play_event *event)
{
    struct dj_run_sum *sum = find(sums, event->batch);
    if (sum == NULL || event->warmup) {
        return;
    }
    sum->attempts++;
    if (event->outcome != DJ_RUN_OK) {
        count_cause(sums, sum, DJ_FAULT_FAILED, event);
        return;
    }
    for (size_t i = 0; i < DJ_SUM_FIGURES; i++) {
        DJ_XROOM(sum->figures[i], sum->runs);
        sum->figures[i][sum->runs] =
            event->metrics->value[figures[i].metric] * figures[i].factor;
    }
    sum->runs++;
    sum->disturbed += event->message != NULL;
    if (event->message != NULL) {
        count_cause(sums, sum, DJ_FAULT_DISTURBED, event);
    }
}

/* Removes the runs that will be repeated: a usable run that was anomalous, or the runs of
 * all batches of a flow. */
static void remove_repeated(struct dj_run_sums *sums, const struct dj_play_event *event)
{
    for (size_t i = 0; event->batch == NULL && i < sums->count; i++) {
        struct dj_run_sum *sum = &sums->sums[i];
        sum->left_out =
            sum->left_out || (sum->device == event->device && sum->flow == event->flow);
    }
    struct dj_run_sum *sum = event->batch != NULL ? find(sums, event->batch) : NULL;
    if (sum != NULL && !event->warmup && event->outcome == DJ_RUN_OK && sum->runs > 0) {
        sum->runs--;
        sum->disturbed -= sum->disturbed > 0;
        move_to_repeated(sums, sum, event);
    }
}

void dj_report_run_sums_add(struct dj_run_sums *sums, const struct dj_play_event *event)
{
    if (event->kind == DJ_PLAY_BATCH) {
        add_batch(sums, event);
    } else if (event->kind == DJ_PLAY_RUN_END) {
        add_run(sums, event);
    } else if (event->kind == DJ_PLAY_REPEAT) {
        remove_repeated(sums, event);
    }
}
