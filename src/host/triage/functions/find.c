#include <stdlib.h>

#include "memory/memory.h"
#include "triage/functions/functions.h"

/* The frames that are compared, and the samples of these frames. */
struct compared {
    const struct dj_triage *triage;
    struct dj_calls_sides sides;
    /* For each frame of triage, its number among the compared frames, or UINT32_MAX. */
    uint32_t *number_of;
    struct dj_calls_sample *samples;
    size_t capacity;
};

/* Returns true if the frame counts as smooth. With a baseline, the frames of the baseline
 * are smooth. Otherwise, the frames that were in time are smooth. */
static bool is_smooth(const struct dj_triage *triage,
                      const struct dj_triage_frame_record *frame)
{
    return !frame->incomplete &&
           (triage->result.against_base ? frame->base : !frame->base && !frame->janky);
}

static void number_frames(struct compared *compared, const uint32_t *janky,
                          size_t janky_count)
{
    const struct dj_triage *triage = compared->triage;
    compared->number_of =
        dj_xresize(NULL, triage->frame_count, sizeof(*compared->number_of));
    for (size_t i = 0; i < triage->frame_count; i++) {
        bool smooth = is_smooth(triage, &triage->frames[i]);
        compared->number_of[i] =
            smooth ? (uint32_t)(janky_count + compared->sides.smooth_count) : UINT32_MAX;
        compared->sides.smooth_count += smooth;
    }
    for (size_t i = 0; i < janky_count; i++) {
        compared->number_of[janky[i]] = (uint32_t)i;
    }
    compared->sides.janky_count = janky_count;
}

static void add_samples(struct compared *compared, uint32_t cause,
                        struct dj_triage_functions *functions)
{
    const struct dj_triage *triage = compared->triage;
    for (size_t i = 0; i < triage->sample_count; i++) {
        const struct dj_triage_sample *sample = &triage->samples[i];
        uint32_t number = compared->number_of[sample->frame];
        bool counts = cause == UINT32_MAX || triage->cause_of[sample->key] == cause;
        if (!counts || number == UINT32_MAX) {
            continue;
        }
        DJ_XRESERVE(compared->samples, compared->capacity,
                    compared->sides.sample_count + 1);
        compared->samples[compared->sides.sample_count++] =
            (struct dj_calls_sample){number, sample->node, sample->ns, sample->guessed};
        bool is_janky = number < compared->sides.janky_count;
        functions->janky_samples += is_janky;
        functions->smooth_samples += !is_janky;
    }
}

static struct dj_triage_function describe(const struct dj_triage *triage,
                                          const struct dj_calls_cause *cause,
                                          const uint32_t *janky)
{
    const struct dj_calls_tree *calls = &triage->calls;
    const struct dj_triage_frame_record *worst =
        &triage->frames[janky[cause->worst_frame]];
    return (struct dj_triage_function){.function = &calls->functions[cause->function],
                                       .node = cause->node,
                                       .chain_first = cause->chain_first,
                                       .chain_last = cause->chain_last,
                                       .extra_ns = cause->extra_ns,
                                       .low_ns = cause->low_ns,
                                       .high_ns = cause->high_ns,
                                       .samples = cause->samples,
                                       .named = cause->named,
                                       .guessed = cause->guessed,
                                       .frames = cause->frames,
                                       .worst_frame = worst->name,
                                       .worst_trace = worst->trace,
                                       .worst_start_ns = worst->start_ns,
                                       .worst_trace_start_ns = worst->trace_start_ns,
                                       .worst_ns = cause->worst_ns};
}

struct dj_triage_functions *dj_triage_functions_find(const struct dj_triage *triage,
                                                     uint32_t cause,
                                                     const uint32_t *janky,
                                                     size_t janky_count)
{
    if (triage->sample_count == 0) {
        return NULL;
    }
    struct dj_triage_functions *functions = dj_xcalloc(1, sizeof(*functions));
    struct compared compared = {.triage = triage, .sides = {.tree = &triage->calls}};
    struct dj_calls_difference *difference = &functions->difference;
    number_frames(&compared, janky, janky_count);
    add_samples(&compared, cause, functions);
    compared.sides.samples = compared.samples;
    if (compared.sides.sample_count > 0) {
        dj_calls_difference_compute(&compared.sides, difference);
        functions->too_few = difference->too_few_janky || difference->too_few_smooth;
        functions->janky_frames = janky_count;
        functions->smooth_frames = compared.sides.smooth_count;
        for (; functions->count < difference->cause_count; functions->count++) {
            functions->all[functions->count] =
                describe(triage, &difference->causes[functions->count], janky);
        }
    } else {
        free(functions);
        functions = NULL;
    }
    free(compared.number_of);
    free(compared.samples);
    return functions;
}

struct dj_triage_functions *dj_triage_functions_find_all(const struct dj_triage *triage)
{
    uint32_t *janky = dj_xresize(NULL, triage->frame_count, sizeof(*janky));
    size_t count = 0;
    for (size_t i = 0; i < triage->frame_count; i++) {
        const struct dj_triage_frame_record *frame = &triage->frames[i];
        if (frame->janky && !frame->incomplete && !frame->base) {
            janky[count++] = (uint32_t)i;
        }
    }
    struct dj_triage_functions *functions =
        dj_triage_functions_find(triage, UINT32_MAX, janky, count);
    free(janky);
    return functions;
}

void dj_triage_functions_destroy(struct dj_triage_functions *functions)
{
    if (functions != NULL) {
        dj_calls_difference_finish(&functions->difference);
        free(functions);
    }
}
