#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "triage/cause_key.h"
#include "triage/functions/functions.h"

/* Maximum gap between two samples of a thread that counts for the interval. */
static const int64_t LONGEST_GAP_NS = 1000000000;

/* Interval of samples in ns if a trace does not show it: Perfetto's usual rate of 100
 * Hz. */
static const int64_t USUAL_INTERVAL_NS = 10000000;

static const struct dj_trace_sample *get_sample(const struct dj_triage_sampled *sampled,
                                                const struct dj_triage_places *places,
                                                size_t at)
{
    return &sampled->trace->samples[places->all[at]];
}

static int by_thread(const void *a, const void *b, void *samples)
{
    const struct dj_trace_sample *all = samples;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int order = DJ_COMPARE(all[left].tid, all[right].tid);
    /* Samples of the trace are sorted by time. */
    return order != 0 ? order : DJ_COMPARE(left, right);
}

static int by_value(const void *a, const void *b)
{
    return DJ_COMPARE(*(const int64_t *)a, *(const int64_t *)b);
}

/* Returns the median time between two samples of a thread. While a thread runs, this is
 * the interval of the samples. */
static int64_t estimate_interval(const struct dj_triage_sampled *sampled)
{
    size_t count = 0;
    const struct dj_triage_places *work = &sampled->work;
    int64_t *gaps = dj_xresize(NULL, work->count, sizeof(*gaps));
    for (size_t i = 1; i < work->count; i++) {
        const struct dj_trace_sample *before = get_sample(sampled, work, i - 1);
        const struct dj_trace_sample *after = get_sample(sampled, work, i);
        int64_t gap_ns = after->at_ns - before->at_ns;
        if (before->tid == after->tid && gap_ns > 0 && gap_ns <= LONGEST_GAP_NS) {
            gaps[count++] = gap_ns;
        }
    }
    qsort(gaps, count, sizeof(*gaps), by_value);
    int64_t interval_ns = count > 0 ? gaps[count / 2] : USUAL_INTERVAL_NS;
    free(gaps);
    return interval_ns;
}

static struct dj_triage_places find_places(const struct dj_trace *trace,
                                           enum dj_stack_source source)
{
    struct dj_triage_places places = {
        .all = dj_xresize(NULL, trace->sample_count, sizeof(*places.all))};
    for (size_t i = 0; i < trace->sample_count && trace->samples != NULL; i++) {
        if (trace->samples[i].source == source && trace->samples[i].tid != 0) {
            places.all[places.count++] = (uint32_t)i;
        }
    }
    qsort_r(places.all, places.count, sizeof(*places.all), by_thread, trace->samples);
    return places;
}

void dj_triage_sampled_build(struct dj_triage *triage, const struct dj_trace *trace,
                             struct dj_triage_sampled *sampled)
{
    *sampled =
        (struct dj_triage_sampled){.trace = trace,
                                   .work = find_places(trace, DJ_STACK_CPU),
                                   .waits = find_places(trace, DJ_STACK_WAIT),
                                   .copy = {.from = &trace->calls, .to = &triage->calls}};
    sampled->interval_ns = estimate_interval(sampled);
    triage->totals.samples_lost += trace->samples_lost;
}

void dj_triage_sampled_finish(struct dj_triage_sampled *sampled)
{
    free(sampled->work.all);
    free(sampled->waits.all);
    dj_calls_copy_finish(&sampled->copy);
}

size_t dj_triage_sampled_find(const struct dj_triage_sampled *sampled,
                              const struct dj_triage_places *places, uint32_t tid,
                              int64_t from_ns)
{
    size_t from = 0, to = places->count;
    DJ_SEARCH(from, to, at,
              get_sample(sampled, places, at)->tid < tid ||
                  (get_sample(sampled, places, at)->tid == tid &&
                   get_sample(sampled, places, at)->at_ns < from_ns));
    return from;
}

static void add_piece(struct dj_triage *triage, struct dj_triage_sampled *sampled,
                      const struct dj_triage_piece *piece, uint32_t key)
{
    struct dj_triage_frame_record *frame = &triage->frames[triage->frame_count - 1];
    const struct dj_triage_places *work = &sampled->work;
    for (size_t at = dj_triage_sampled_find(sampled, work, piece->tid, piece->start_ns);
         at < work->count; at++) {
        const struct dj_trace_sample *sample = get_sample(sampled, work, at);
        if (sample->tid != piece->tid || sample->at_ns >= piece->end_ns) {
            return;
        }
        DJ_XRESERVE(triage->samples, triage->sample_capacity, triage->sample_count + 1);
        triage->samples[triage->sample_count++] = (struct dj_triage_sample){
            .at_ns = sample->at_ns,
            .ns = sample->ns > 0 ? sample->ns : sampled->interval_ns,
            .frame = (uint32_t)(triage->frame_count - 1),
            .key = key,
            .node = dj_calls_copy_node(&sampled->copy, sample->node),
            .guessed = sample->end == DJ_STACK_GUESSED};
        frame->sample_count++;
    }
}

void dj_triage_functions_collect(struct dj_triage *triage,
                                 const struct dj_triage_index *index,
                                 struct dj_triage_sampled *sampled,
                                 const struct dj_triage_piece *pieces, size_t count)
{
    struct dj_triage_frame_record *frame = &triage->frames[triage->frame_count - 1];
    frame->first_sample = triage->sample_count;
    for (size_t i = 0; i < count && sampled->work.count > 0 && !frame->incomplete; i++) {
        if (pieces[i].kind == DJ_CAUSE_OWN_WORK) {
            struct dj_triage_key key = dj_triage_key_compute(triage, index, &pieces[i]);
            add_piece(triage, sampled, &pieces[i], dj_triage_key_add(triage, &key));
        }
    }
}
