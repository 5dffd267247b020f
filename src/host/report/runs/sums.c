#include "report/run_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stats/center.h"

static const struct {
    enum dj_metric metric;
    double factor;
    const char *name, *unit;
} figures[DJ_SUM_FIGURES] = {
    {DJ_METRIC_FRAME_TIME_P50, 1e-6, "p50", "ms"},
    {DJ_METRIC_FRAME_TIME_P95, 1e-6, "p95", "ms"},
    {DJ_METRIC_JANKY_PCT, 1, "janky", "%"},
};

void dj_report_run_sums_finish(struct dj_run_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        for (size_t k = 0; k < DJ_SUM_FIGURES; k++) {
            free(sums->sums[i].figures[k]);
        }
    }
    free(sums->sums);
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

static void add_run(struct dj_run_sums *sums, const struct dj_play_event *event)
{
    struct dj_run_sum *sum = find(sums, event->batch);
    if (sum == NULL || event->warmup) {
        return;
    }
    sum->attempts++;
    if (event->outcome != DJ_RUN_OK) {
        return;
    }
    for (size_t i = 0; i < DJ_SUM_FIGURES; i++) {
        DJ_XROOM(sum->figures[i], sum->runs);
        sum->figures[i][sum->runs] =
            event->metrics->value[figures[i].metric] * figures[i].factor;
    }
    sum->runs++;
    sum->disturbed += event->message != NULL;
}

/* What will be made again does not count: a run that was clean and anomalous, or all
 * batches of a flow. */
static void take_back(struct dj_run_sums *sums, const struct dj_play_event *event)
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
    }
}

void dj_report_run_sums_add(struct dj_run_sums *sums, const struct dj_play_event *event)
{
    if (event->kind == DJ_PLAY_BATCH) {
        add_batch(sums, event);
    } else if (event->kind == DJ_PLAY_RUN_END) {
        add_run(sums, event);
    } else if (event->kind == DJ_PLAY_REPEAT) {
        take_back(sums, event);
    }
}

static void append_sum(struct dj_text *text, const struct dj_run_sums *sums,
                       const struct dj_run_sum *sum)
{
    dj_text_format(text, "%s  ", sum->batch);
    dj_text_append_escaped_name(text, sum->flow->name);
    dj_text_append_any_name(text, "  ", sums->plan->devices[sum->device], "");
    if (sum->build->label != NULL) {
        dj_text_append_any_name(text, "  ", sum->build->label, "");
    }
    if (sum->left_out) {
        dj_text_add(text, "  left out: half of it was anomalous\n");
        return;
    }
    dj_text_format(text, "  %zu %s %s%s", sum->runs,
                   sum->disturbed > 0 ? "counted" : "clean",
                   sum->runs == 1 ? "run" : "runs", sum->resumed ? " more" : "");
    if (sum->disturbed > 0) {
        dj_text_format(text, " (%zu disturbed)", sum->disturbed);
    }
    const char *before = "; median ";
    for (size_t i = 0; i < DJ_SUM_FIGURES; i++) {
        struct dj_center center;
        dj_center_compute(sum->figures[i], sum->runs, &center);
        if (center.count > 0) {
            dj_text_format(text, "%s%s %.2f %s", before, figures[i].name, center.median,
                           figures[i].unit);
            before = ", ";
        }
    }
    dj_text_add(text, "\n");
}

void dj_report_run_sums_text(struct dj_text *text, const struct dj_run_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        append_sum(text, sums, &sums->sums[i]);
    }
}
