#include "triage/findings.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "triage/collection.h"

/* A janky row of gfxinfo. Its times are in the clock of its trace. */
struct dj_triage_finding_row {
    const char *trace; /* Name of the trace. The triage owns the string. */
    int64_t start_ns, end_ns;
    uint32_t findings;
};

void dj_triage_findings_add(struct dj_triage_findings *all,
                            const struct dj_triage *triage,
                            const struct dj_trace_clock *clock,
                            const struct dj_triage_rows *rows)
{
    int64_t to_mono_ns = clock->known ? clock->to_mono_ns : 0;
    if (rows->source != NULL) {
        return;
    }
    all->without_clock += !clock->known;
    for (size_t i = 0; i < rows->count; i++) {
        const struct dj_triage_row *row = &rows->all[i];
        struct dj_triage_finding_row own = {triage->trace_name,
                                            row->start_ns - to_mono_ns,
                                            row->end_ns - to_mono_ns, row->findings};
        if (row->janky) {
            DJ_XPUSH(all->rows, all->row_count, own);
        }
    }
}

static int64_t compute_shared_ns(const struct dj_triage_finding_row *row,
                                 const struct dj_triage_frame_record *frame)
{
    int64_t from = row->start_ns > frame->start_ns ? row->start_ns : frame->start_ns;
    int64_t to = row->end_ns < frame->end_ns ? row->end_ns : frame->end_ns;
    return to > from ? to - from : 0;
}

static bool is_same_frame(const struct dj_triage_finding_row *row,
                          const struct dj_triage_frame_record *frame, int64_t ns)
{
    int64_t row_ns = row->end_ns - row->start_ns;
    int64_t frame_ns = frame->end_ns - frame->start_ns;
    return ns > (row_ns < frame_ns ? row_ns : frame_ns) / 2;
}

/* Returns the late frame of the trace that overlaps most with the row, or NULL if no
 * frame matches the row. */
static const struct dj_triage_frame_record *
find_frame(const struct dj_triage *triage, const struct dj_triage_finding_row *row)
{
    const struct dj_triage_frame_record *best = NULL;
    int64_t best_ns = 0;
    for (size_t i = 0; i < triage->frame_count; i++) {
        const struct dj_triage_frame_record *frame = &triage->frames[i];
        int64_t ns = compute_shared_ns(row, frame);
        if (frame->janky && !frame->incomplete && !frame->base && ns > best_ns &&
            is_same_frame(row, frame, ns) && frame->trace == row->trace) {
            best = frame;
            best_ns = ns;
        }
    }
    return best;
}

/* Sets the element of each cause in `sums` to the time of the cause in the frame minus
 * its usual time. Returns the index of the largest element, or SIZE_MAX if no element is
 * positive. */
static size_t sum_causes(const struct dj_triage *triage,
                         const struct dj_triage_frame_record *frame, int64_t *sums,
                         size_t count)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        sums[i] = -triage->result.causes[i].usual_ns;
    }
    for (size_t i = 0; i < frame->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[frame->first_share + i];
        uint32_t cause = triage->cause_of[share->key];
        if (cause < count) {
            sums[cause] += share->ns;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (sums[i] > 0 && (best == SIZE_MAX || sums[i] > sums[best])) {
            best = i;
        }
    }
    return best;
}

static int by_frames(const void *a, const void *b)
{
    const struct dj_triage_finding_cause *left = a;
    const struct dj_triage_finding_cause *right = b;
    int order = DJ_COMPARE(right->frames, left->frames);
    return order != 0 ? order : DJ_COMPARE(right->ns, left->ns);
}

static void set_causes(struct dj_triage_finding *finding,
                       struct dj_triage_finding_cause *tallies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tallies[i].cause = i;
    }
    qsort(tallies, count, sizeof(*tallies), by_frames);
    for (size_t i = 0; i < count && i < DJ_TRIAGE_FINDING_CAUSES && tallies[i].frames > 0;
         i++) {
        finding->causes[finding->cause_count++] = tallies[i];
    }
}

static int by_rows(const void *a, const void *b)
{
    const struct dj_triage_finding *left = a;
    const struct dj_triage_finding *right = b;
    int order = DJ_COMPARE(right->rows, left->rows);
    return order != 0 ? order : DJ_COMPARE(left->finding, right->finding);
}

/* Temporary arrays. `sums` contains the time of each cause in one frame. `tallies`
 * contains one element for each pair of a finding and a cause. */
struct scratch {
    int64_t *sums;
    struct dj_triage_finding_cause *tallies;
    size_t causes;
};

static void add_row(struct dj_triage_findings *all, const struct dj_triage *triage,
                    const struct dj_triage_finding_row *row, struct scratch *scratch)
{
    const struct dj_triage_frame_record *frame = find_frame(triage, row);
    size_t cause = frame != NULL
                       ? sum_causes(triage, frame, scratch->sums, scratch->causes)
                       : SIZE_MAX;
    all->janky++;
    all->shown += frame != NULL;
    for (size_t k = 0; k < DJ_FINDING_COUNT; k++) {
        if ((row->findings >> k & 1) == 0) {
            continue;
        }
        struct dj_triage_finding *finding = &all->findings[k];
        finding->rows++;
        finding->frames += frame != NULL;
        finding->unexplained += frame != NULL && cause == SIZE_MAX;
        if (cause != SIZE_MAX) {
            struct dj_triage_finding_cause *tally =
                &scratch->tallies[k * scratch->causes + cause];
            tally->frames++;
            tally->ns += scratch->sums[cause];
        }
    }
}

void dj_triage_findings_compute(struct dj_triage_findings *all,
                                const struct dj_triage *triage)
{
    size_t causes = triage->result.cause_count + triage->result.machine_count;
    struct scratch scratch = {
        dj_xcalloc(causes, sizeof(*scratch.sums)),
        dj_xcalloc(causes * DJ_FINDING_COUNT, sizeof(*scratch.tallies)), causes};
    for (size_t k = 0; k < DJ_FINDING_COUNT; k++) {
        all->findings[k] = (struct dj_triage_finding){.finding = (enum dj_finding_id)k};
    }
    for (size_t i = 0; i < all->row_count; i++) {
        add_row(all, triage, &all->rows[i], &scratch);
    }
    for (size_t k = 0; k < DJ_FINDING_COUNT; k++) {
        set_causes(&all->findings[k], scratch.tallies + k * causes, causes);
        all->finding_count += all->findings[k].rows > 0;
    }
    qsort(all->findings, DJ_FINDING_COUNT, sizeof(all->findings[0]), by_rows);
    free(scratch.sums);
    free(scratch.tallies);
}

void dj_triage_findings_finish(struct dj_triage_findings *all)
{
    free(all->rows);
    *all = (struct dj_triage_findings){0};
}
