#include "report/verdict/assessment.h"

#include <inttypes.h>
#include <math.h>

#include "frame/tracker.h"
#include "gfxinfo/lines.h"

double dj_assessment_compute_percent(const struct dj_jank_sample *sample)
{
    return 100.0 * (double)sample->janky / (double)sample->frames;
}

/* Treats a block with frames but without a percentage as truncated, because hwui itself
 * prints NaN only for zero frames. */
bool dj_assessment_has_jank_count(const struct dj_stats_block *block)
{
    bool cut = block->lines != UINT32_MAX && isnan(block->printed_janky_pct) &&
               block->stats.counter[DJ_COUNTER_TOTAL] > 0;
    bool has_count = false;
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        has_count =
            has_count || ((block->lines & (UINT32_C(1) << i)) != 0 &&
                          line->kind == DJ_LINE_JANKY && line->field == DJ_COUNTER_JANKY);
    }
    return !cut && has_count;
}

bool dj_assessment_row_is_exempt(const struct dj_dialect *dialect,
                                 const struct dj_frame *frame)
{
    return dialect->judge == dj_tracker_judge_none ||
           (dj_frame_get(frame, DJ_COLUMN_FLAGS, 0) & dialect->exempt_flags) != 0;
}

size_t dj_assessment_count_exempt_rows(const struct dj_parsed *parsed, size_t process,
                                       size_t window)
{
    const struct dj_dump_process *of = &parsed->dump.processes[process];
    const struct dj_dump_window *rows = &of->windows[window];
    const struct dj_row_facts *facts = parsed->processes[process].windows[window].rows;
    const struct dj_dialect *dialect = dj_gfxinfo_dump_dialect(&parsed->dump, of);
    size_t exempt = 0;
    for (size_t i = 0; i < rows->frame_count; i++) {
        exempt += facts[i].judged && facts[i].usability == DJ_ROW_USABLE &&
                  dj_assessment_row_is_exempt(dialect, &rows->frames[i]);
    }
    return exempt;
}

/* Adds the counters of a block. If the block was truncated before or in the line "Janky
 * frames", its frames are not judged. */
static void add_counts(const struct dj_stats_block *block,
                       struct dj_assessment *assessment)
{
    uint64_t frames = block->stats.counter[DJ_COUNTER_TOTAL];
    if (!block->present || frames == 0) {
        return;
    }
    if (!dj_assessment_has_jank_count(block)) {
        assessment->has_unjudged = true;
    } else if (frames > assessment->counts.frames) {
        assessment->counts =
            (struct dj_jank_sample){frames, block->stats.counter[DJ_COUNTER_JANKY]};
        assessment->counts_pct = dj_gfxinfo_block_janky_pct(block, DJ_COUNTER_JANKY);
    }
}

enum dj_grade dj_assessment_grade_sample(const struct dj_jank_sample *sample)
{
    if (sample->frames < DJ_FEW_FRAMES) {
        return sample->frames == 0 ? DJ_GRADE_NO_FRAMES : DJ_GRADE_FEW;
    }
    double pct = dj_assessment_compute_percent(sample);
    return pct <= DJ_SMOOTH_PCT   ? DJ_GRADE_SMOOTH
           : pct <= DJ_UNEVEN_PCT ? DJ_GRADE_UNEVEN
                                  : DJ_GRADE_JANKY;
}

/* Adds the rows of the simple dump. In it, columns that a release lacks are negative.
 * hwui clamps values at 50 ms, but 50 ms is always longer than the interval, so the
 * comparison with the interval is still correct. */
static void add_profile(const struct dj_dump_window *window, int64_t interval_ns,
                        struct dj_assessment *assessment)
{
    assessment->simple_rows += window->profile_count;
    for (size_t i = 0; i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        double prepare_ms = row->prepare_ms > 0 ? (double)row->prepare_ms : 0;
        double total_ms = (double)row->draw_ms + prepare_ms + (double)row->process_ms +
                          (double)row->execute_ms;
        assessment->simple_over += total_ms * 1e6 > (double)interval_ns;
    }
}

static void add_rows(const struct dj_summary *summary, size_t exempt,
                     struct dj_assessment *assessment)
{
    assessment->rows.frames += summary->judged - exempt;
    assessment->exempt += exempt;
    assessment->rows.janky += summary->janky;
    assessment->rows_read += summary->rows;
    assessment->presents += summary->excluded[DJ_ROW_PRESENT_ONLY];
    assessment->has_unjudged = assessment->has_unjudged || exempt > 0 ||
                               summary->usable > summary->judged ||
                               assessment->presents > 0;
}

static void compute_grade(struct dj_assessment *assessment)
{
    enum dj_grade counts = dj_assessment_grade_sample(&assessment->counts);
    enum dj_grade rows = dj_assessment_grade_sample(&assessment->rows);
    assessment->grade = counts > rows ? counts : rows;
    bool is_unknown = assessment->exempt > 0 && assessment->rows.frames == 0 &&
                      /* hwui's counters also include the frames that it exempts. So
                       * counters without jank do not show that the exempt frames were
                       * smooth. */
                      assessment->counts.janky == 0;
    if (is_unknown || (assessment->grade == DJ_GRADE_NO_FRAMES &&
                       (assessment->has_unjudged || assessment->simple_rows > 0 ||
                        assessment->rows_unreadable > 0))) {
        assessment->grade = DJ_GRADE_UNJUDGED;
    }
}

struct dj_assessment dj_assessment_compute(const struct dj_parsed *parsed, size_t index)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    const struct dj_window_facts *facts = parsed->processes[index].windows;
    struct dj_assessment assessment = {0};
    size_t most = 0;
    add_counts(&process->stats, &assessment);
    for (size_t i = 0; i < process->window_count; i++) {
        add_counts(&process->windows[i].stats, &assessment);
        add_rows(&facts[i].summary, dj_assessment_count_exempt_rows(parsed, index, i),
                 &assessment);
        assessment.rows_unreadable += process->windows[i].rows_unreadable;
        add_profile(&process->windows[i], facts[i].interval_ns, &assessment);
        if (facts[i].summary.judged > most) {
            most = facts[i].summary.judged;
            assessment.window = i;
        }
    }
    compute_grade(&assessment);
    return assessment;
}

struct dj_assessment dj_assessment_compute_view(const struct dj_view *view)
{
    struct dj_assessment assessment = {0};
    size_t exempt = 0;
    if (view->hwui != NULL) {
        add_counts(view->hwui, &assessment);
        assessment.counts_of_process = view->window != NULL && !view->hwui_of_window;
    }
    if (view->window != NULL) {
        for (size_t i = 0; i < view->frame_count; i++) {
            exempt += dj_assessment_row_is_exempt(view->dialect, view->frames[i].frame);
        }
        add_rows(&view->summary, exempt, &assessment);
        add_profile(view->window, view->interval_ns, &assessment);
    }
    compute_grade(&assessment);
    return assessment;
}

static const struct dj_jank_sample *
get_larger_sample(const struct dj_assessment *assessment)
{
    return assessment->counts.frames > assessment->rows.frames ? &assessment->counts
                                                               : &assessment->rows;
}

bool dj_assessment_is_worse(const struct dj_assessment *b, const struct dj_assessment *a)
{
    const struct dj_jank_sample *of_a = get_larger_sample(a);
    const struct dj_jank_sample *of_b = get_larger_sample(b);
    if (a->grade != b->grade) {
        return b->grade > a->grade;
    }
    if (of_a->frames == 0 || of_b->frames == 0) {
        return of_b->frames > of_a->frames;
    }
    double a_pct = dj_assessment_compute_percent(of_a);
    double b_pct = dj_assessment_compute_percent(of_b);
    return b_pct > a_pct || (b_pct >= a_pct && of_b->frames > of_a->frames);
}

struct dj_jank_sample
dj_assessment_read_graphicsstats(const struct dj_graphicsstats *entry)
{
    const uint32_t *counter = entry->stats.stats.counter;
    return dj_assessment_has_jank_count(&entry->stats)
               ? (struct dj_jank_sample){counter[DJ_COUNTER_TOTAL],
                                         counter[DJ_COUNTER_JANKY]}
               : (struct dj_jank_sample){0};
}

size_t dj_assessment_find_worst_package(const struct dj_dump *dump)
{
    size_t worst = dump->graphicsstats_count;
    double worst_pct = -1;
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        struct dj_jank_sample sample =
            dj_assessment_read_graphicsstats(&dump->graphicsstats[i]);
        if (sample.frames >= DJ_FEW_FRAMES &&
            dj_assessment_compute_percent(&sample) > worst_pct) {
            worst = i;
            worst_pct = dj_assessment_compute_percent(&sample);
        }
    }
    return worst;
}

static const char *const grades[DJ_GRADE_COUNT] = {
    [DJ_GRADE_NO_FRAMES] = "NO FRAMES",
    [DJ_GRADE_UNJUDGED] = "NOT JUDGED",
    [DJ_GRADE_FEW] = "TOO FEW FRAMES TO JUDGE",
    [DJ_GRADE_SMOOTH] = "SMOOTH",
    [DJ_GRADE_UNEVEN] = "UNEVEN",
    [DJ_GRADE_JANKY] = "JANKY",
};

const char *dj_assessment_get_grade_text(enum dj_grade grade)
{
    return grades[grade];
}

static void append_reason(struct dj_text *text, const struct dj_assessment *assessment)
{
    if (assessment->simple_rows > 0) {
        dj_text_format(text,
                       "%zu rows of the simple dump, %zu longer than a frame interval",
                       assessment->simple_rows, assessment->simple_over);
    } else if (assessment->exempt > 0) {
        dj_text_format(text, "%zu %s, exempt from the release's rule", assessment->exempt,
                       assessment->exempt == 1 ? "row" : "rows, all");
    } else if (assessment->rows_unreadable > 0 && assessment->rows_read == 0) {
        dj_text_format(text, "%zu %s, none can be read", assessment->rows_unreadable,
                       assessment->rows_unreadable == 1 ? "row" : "rows");
    } else if (assessment->presents > 0) {
        dj_text_add(text, "frame times are unknown, because the frames were recorded "
                          "from outside the program");
    } else if (assessment->grade == DJ_GRADE_UNJUDGED) {
        dj_text_add(text, "frames were drawn, but the number of janky ones is unknown");
    } else if (assessment->rows_read > 1) {
        dj_text_format(text, "none of its %zu rows is a usable frame",
                       assessment->rows_read);
    } else if (assessment->rows_read == 1) {
        dj_text_add(text, "its only row is not a usable frame");
    } else {
        dj_text_add(text, "no frame was drawn");
    }
}

/* Returns whether the rows decide the grade. */
static bool rows_decide(const struct dj_assessment *assessment)
{
    return assessment->counts.frames == 0 ||
           dj_assessment_grade_sample(&assessment->rows) >
               dj_assessment_grade_sample(&assessment->counts);
}

void dj_assessment_describe(struct dj_text *text, const struct dj_assessment *assessment)
{
    const struct dj_jank_sample *counts = &assessment->counts;
    const struct dj_jank_sample *rows = &assessment->rows;
    if (counts->frames + rows->frames == 0) {
        append_reason(text, assessment);
    } else if (rows_decide(assessment)) {
        dj_text_format(text, "%" PRIu64 " of %" PRIu64 " rows janky (%.2f %%)",
                       rows->janky, rows->frames, dj_assessment_compute_percent(rows));
    } else {
        dj_text_format(text, "%" PRIu64 " of %" PRIu64 " frames janky (%.2f %%)",
                       counts->janky, counts->frames, assessment->counts_pct);
    }
}

void dj_assessment_describe_rest(struct dj_text *text,
                                 const struct dj_assessment *assessment)
{
    const struct dj_jank_sample *counts = &assessment->counts;
    const struct dj_jank_sample *rows = &assessment->rows;
    if (counts->frames > 0 && counts->frames == rows->frames &&
        counts->janky == rows->janky) {
        dj_text_add(text, "hwui's count and the rows of the dump agree.");
    } else if (counts->frames > 0 && rows->frames > 0 && rows_decide(assessment)) {
        dj_text_format(text,
                       "This is the share of frames with rows. hwui counted %" PRIu64
                       " frames%s, %" PRIu64 " of them janky (%.2f %%).",
                       counts->frames,
                       assessment->counts_of_process ? " of the whole process" : "",
                       counts->janky, assessment->counts_pct);
    } else if (counts->frames > 0 && rows->frames > 0) {
        /* After a reset of the counters, older frames still have rows. */
        dj_text_format(text,
                       "This is hwui's count%s. Of the %" PRIu64
                       " frames with rows, %" PRIu64 " %s janky (%.2f %%).",
                       assessment->counts_of_process   ? " of the whole process"
                       : counts->frames > rows->frames ? " of all frames"
                                                       : "",
                       rows->frames, rows->janky, rows->janky == 1 ? "is" : "are",
                       dj_assessment_compute_percent(rows));
    } else if (counts->frames > 0 && assessment->exempt > 0) {
        dj_text_format(text,
                       "The rule of this Android release does not judge the %zu "
                       "rows of the dump.",
                       assessment->exempt);
    }
}

const char *dj_assessment_explain(enum dj_grade grade)
{
    static const char limits[] = "SMOOTH: at most 2 % of frames janky. UNEVEN: at most "
                                 "10 %. JANKY: more.";
    static const char *const meanings[DJ_GRADE_COUNT] = {
        [DJ_GRADE_NO_FRAMES] = "So the smoothness of the app is unknown.",
        [DJ_GRADE_UNJUDGED] = "NOT JUDGED: the data does not show which frames missed "
                              "their deadline.",
        [DJ_GRADE_FEW] = "A verdict needs at least 30 frames.",
        [DJ_GRADE_SMOOTH] = limits,
        [DJ_GRADE_UNEVEN] = limits,
        [DJ_GRADE_JANKY] = limits,
    };
    return meanings[grade];
}
