#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "triage/cause_key.h"
#include "triage/functions/functions.h"

/* Gaps between samples that are longer than this do not count for the interval. */
static const int64_t LONGEST_GAP_NS = 1000000000;

/* Interval of samples if a trace shows none: Perfetto's usual 100 Hz. */
static const int64_t USUAL_INTERVAL_NS = 10000000;

static const struct dj_trace_sample *get_sample(const struct dj_triage_sampled *sampled,
                                                size_t at)
{
    return &sampled->trace->samples[sampled->places[at]];
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
    int64_t *gaps = dj_xresize(NULL, sampled->count, sizeof(*gaps));
    for (size_t i = 1; i < sampled->count; i++) {
        const struct dj_trace_sample *before = get_sample(sampled, i - 1);
        const struct dj_trace_sample *after = get_sample(sampled, i);
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

void dj_triage_sampled_build(struct dj_triage *triage, const struct dj_trace *trace,
                             struct dj_triage_sampled *sampled)
{
    *sampled = (struct dj_triage_sampled){
        .trace = trace, .copy = {.from = &trace->calls, .to = &triage->calls}};
    sampled->places = dj_xresize(NULL, trace->sample_count, sizeof(*sampled->places));
    for (size_t i = 0; i < trace->sample_count && trace->samples != NULL; i++) {
        if (trace->samples[i].source == DJ_STACK_CPU && trace->samples[i].tid != 0) {
            sampled->places[sampled->count++] = (uint32_t)i;
        }
    }
    qsort_r(sampled->places, sampled->count, sizeof(*sampled->places), by_thread,
            trace->samples);
    sampled->interval_ns = estimate_interval(sampled);
    triage->totals.samples_lost += trace->samples_lost;
}

void dj_triage_sampled_finish(struct dj_triage_sampled *sampled)
{
    free(sampled->places);
    dj_calls_copy_finish(&sampled->copy);
}

/* Returns the index of the first sample of the thread at from_ns or later. */
static size_t find_first(const struct dj_triage_sampled *sampled, uint32_t tid,
                         int64_t from_ns)
{
    size_t from = 0, to = sampled->count;
    DJ_SEARCH(from, to, at,
              get_sample(sampled, at)->tid < tid ||
                  (get_sample(sampled, at)->tid == tid &&
                   get_sample(sampled, at)->at_ns < from_ns));
    return from;
}

static void add_piece(struct dj_triage *triage, struct dj_triage_sampled *sampled,
                      const struct dj_triage_piece *piece, uint32_t key)
{
    struct dj_triage_frame_record *frame = &triage->frames[triage->frame_count - 1];
    for (size_t at = find_first(sampled, piece->tid, piece->start_ns);
         at < sampled->count; at++) {
        const struct dj_trace_sample *sample = get_sample(sampled, at);
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
    for (size_t i = 0; i < count && sampled->count > 0 && !frame->incomplete; i++) {
        if (pieces[i].kind == DJ_CAUSE_OWN_WORK) {
            struct dj_triage_key key = dj_triage_key_compute(triage, index, &pieces[i]);
            add_piece(triage, sampled, &pieces[i], dj_triage_key_add(triage, &key));
        }
    }
}
