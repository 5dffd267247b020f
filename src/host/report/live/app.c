#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "report/live/lines.h"
#include "report/terminal/lines.h"
#include "report/view/bins.h"

enum {
    JANKY_FRAMES = 50,
    BINS_PER_INTERVAL = 2,
    LABEL_WIDTH = 14,
    COUNT_WIDTH = 6,
    FIGURES_WIDTH = 72
};

/* Adds a heading after an empty line. */
static void add_heading(struct dj_live_screen *screen,
                        const struct dj_terminal_style *style, const char *words)
{
    dj_lines_add_words(screen, style, DJ_TONE_PLAIN, "");
    dj_lines_add_words(screen, style, DJ_TONE_MUTED, words);
    screen->lines[screen->count - 1].is_heading = true;
}

static void add_name(struct dj_live_screen *screen, const struct dj_terminal_style *style,
                     const struct dj_live *live)
{
    struct dj_text words = {0};
    dj_text_append_escaped_name(&words, dj_live_get_app(live));
    if (dj_live_get_pid(live) >= 0) {
        dj_text_format(&words, "  pid %" PRId64, dj_live_get_pid(live));
    }
    dj_text_format(&words, "  %s", dj_live_state_name(dj_live_get_state(live)));
    if (dj_live_get_restarts(live) > 0) {
        dj_text_format(&words, ", restarted %u times", dj_live_get_restarts(live));
    }
    dj_lines_add_words(screen, style, DJ_TONE_PLAIN, dj_xtext(&words));
    screen->lines[screen->count - 1].is_heading = true;
    dj_text_finish(&words);
}

static void add_counts(struct dj_live_screen *screen,
                       const struct dj_terminal_style *style, const char *label,
                       const struct dj_live_figures *figures)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%-11s %" PRIu64 " frames, %" PRIu64 " janky", label,
                   figures->frames, figures->janky);
    if (!isnan(dj_live_janky_percent(figures))) {
        dj_text_format(&words, " (%.1f %%)", dj_live_janky_percent(figures));
    }
    dj_lines_add_words(screen, style, figures->janky > 0 ? DJ_TONE_BAD : DJ_TONE_PLAIN,
                       dj_xtext(&words));
    dj_text_clear(&words);
    if (figures->lost_ranges > 0) {
        dj_text_format(&words, "  %" PRIu64 " frames lost before dejank read them",
                       figures->lost);
        dj_lines_add_words(screen, style, DJ_TONE_WARNING, dj_xtext(&words));
    }
    dj_text_finish(&words);
}

/* Adds the counts, and the frame times in one line, or in two on a narrow screen. */
static void add_figures(struct dj_live_screen *screen,
                        const struct dj_terminal_style *style, const char *label,
                        const struct dj_live_figures *figures)
{
    struct dj_text words = {0};
    add_counts(screen, style, label, figures);
    dj_text_add(&words, "  p50");
    dj_lines_append_ms(&words, 6, figures->p50_ns);
    dj_text_add(&words, "  p95");
    dj_lines_append_ms(&words, 6, figures->p95_ns);
    dj_text_add(&words, "  p99");
    dj_lines_append_ms(&words, 6, figures->p99_ns);
    if (style->width < FIGURES_WIDTH) {
        dj_text_add(&words, " ms");
        dj_lines_add_words(screen, style, DJ_TONE_PLAIN, dj_xtext(&words));
        dj_text_clear(&words);
    }
    dj_text_add(&words, "  longest");
    dj_lines_append_ms(&words, 6, figures->longest_ns);
    dj_text_add(&words, " ms");
    if (!isnan(figures->fps)) {
        dj_text_format(&words, "  %.1f fps", figures->fps);
    }
    dj_lines_add_words(screen, style, DJ_TONE_PLAIN, dj_xtext(&words));
    dj_text_finish(&words);
}

/* Adds a line with a label, a bar and its value. */
static void add_bar(struct dj_live_screen *screen, const struct dj_terminal_style *style,
                    enum dj_tone tone, const char *label, double part, double whole,
                    const char *value)
{
    struct dj_live_line *line = dj_lines_add(screen, tone);
    const struct dj_terminal_style plain = {.width = style->width,
                                            .unicode = style->unicode};
    struct dj_terminal out = dj_terminal_init(&line->text, &plain);
    int label_width = DJ_LEAST(LABEL_WIDTH, style->width - COUNT_WIDTH - 2);
    int columns = style->width - label_width - COUNT_WIDTH - 2;
    dj_lines_append_name(&line->text, style, label, (size_t)label_width);
    dj_text_format(&line->text, " %*s ", COUNT_WIDTH, value);
    if (columns > 0) {
        dj_terminal_write_bar(&out, part, whole, (size_t)columns);
    }
}

static int64_t get_interval(const struct dj_live *live)
{
    size_t count = dj_live_frame_count(live);
    const struct dj_live_window *window =
        count > 0 ? dj_live_find_window(live, dj_live_get_frame(live, count - 1)->window)
                  : NULL;
    return window != NULL ? window->interval_ns : 0;
}

static void write_bin_label(struct dj_text *text, const struct dj_bin *bin, bool unicode)
{
    if (bin->to_ms > 0) {
        dj_text_format(text, "%.1f%s%.1f ms", bin->from_ms, unicode ? "–" : "-",
                       bin->to_ms);
    } else {
        dj_text_format(text, "> %.1f ms", bin->from_ms);
    }
}

static void add_histogram(struct dj_live_screen *screen,
                          const struct dj_terminal_style *style,
                          const struct dj_live *live)
{
    int64_t interval_ns = get_interval(live);
    double most = 0;
    if (interval_ns <= 0) {
        return;
    }
    struct dj_bins bins =
        dj_bins_divide_intervals((double)interval_ns / 1e6, BINS_PER_INTERVAL);
    for (size_t i = 0; i < dj_live_frame_count(live); i++) {
        const struct dj_live_frame *frame = dj_live_get_frame(live, i);
        if (frame->frame_time_ns >= 0) {
            struct dj_bin *bin =
                dj_bins_find(&bins, (double)frame->frame_time_ns / (double)interval_ns);
            dj_bins_add(&bins, bin, frame->is_janky ? DJ_BIN_LATE : DJ_BIN_IN_TIME, 1);
            most = bin->count > most ? bin->count : most;
        }
    }
    dj_bins_trim(&bins);
    add_heading(screen, style, "Frame times, last 10 s");
    for (size_t i = 0; i < bins.count; i++) {
        struct dj_text label = {0};
        char value[24];
        write_bin_label(&label, &bins.bin[i], style->unicode);
        snprintf(value, sizeof(value), "%.0f", bins.bin[i].count);
        add_bar(screen, style,
                bins.bin[i].of_kind[DJ_BIN_LATE] > 0 ? DJ_TONE_BAD : DJ_TONE_PLAIN,
                dj_xtext(&label), bins.bin[i].count, most, value);
        dj_text_finish(&label);
    }
}

struct stage_figures {
    double p50_ns[DJ_STAGE_COUNT], p95_ns[DJ_STAGE_COUNT];
    uint32_t known; /* Bit n is set if a frame has stage n. */
};

static void compute_stages(const struct dj_live *live, struct stage_figures *figures)
{
    size_t count = dj_live_frame_count(live);
    int64_t *times_ns = dj_xcalloc(count + 1, sizeof(*times_ns));
    *figures = (struct stage_figures){.known = 0};
    for (size_t stage = 0; stage < DJ_STAGE_COUNT; stage++) {
        size_t known = 0;
        for (size_t i = 0; i < count; i++) {
            const struct dj_stages *stages = &dj_live_get_frame(live, i)->stages;
            if ((stages->known >> stage & 1) != 0) {
                times_ns[known++] = stages->ns[stage];
            }
        }
        struct dj_spread spread;
        dj_frame_compute_spread(times_ns, known, &spread);
        if (known > 0) {
            figures->known |= 1U << stage;
            figures->p50_ns[stage] = spread.p50_ns;
            figures->p95_ns[stage] = spread.p95_ns;
        }
    }
    free(times_ns);
}

static void add_stages(struct dj_live_screen *screen,
                       const struct dj_terminal_style *style,
                       const struct stage_figures *figures)
{
    double most = 0;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        most = figures->p95_ns[i] > most ? figures->p95_ns[i] : most;
    }
    if (figures->known == 0) {
        return;
    }
    add_heading(screen, style, "Stages, p95 in ms");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        char value[24];
        if ((figures->known >> i & 1) != 0) {
            snprintf(value, sizeof(value), "%.1f", figures->p95_ns[i] / 1e6);
            add_bar(screen, style, DJ_TONE_PLAIN, dj_frame_stage_name((enum dj_stage)i),
                    figures->p95_ns[i], most, value);
        }
    }
}

/* Returns the stage of a frame that exceeds its median most, or DJ_STAGE_COUNT if no
 * stage does. */
static enum dj_stage find_long_stage(const struct dj_live_frame *frame,
                                     const struct stage_figures *figures)
{
    enum dj_stage longest = DJ_STAGE_COUNT;
    double most_ns = 0;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        double more_ns = (double)frame->stages.ns[i] - figures->p50_ns[i];
        if ((frame->stages.known >> i & 1) != 0 && more_ns > most_ns) {
            most_ns = more_ns;
            longest = (enum dj_stage)i;
        }
    }
    return longest;
}

static void add_janky_frame(struct dj_live_screen *screen,
                            const struct dj_terminal_style *style,
                            const struct dj_live_frame *frame,
                            const struct stage_figures *figures)
{
    struct dj_text words = {0};
    enum dj_stage stage = find_long_stage(frame, figures);
    dj_text_format(&words, "#%-6" PRIu64, frame->number);
    dj_lines_append_ms(&words, 6, frame->frame_time_ns);
    dj_text_add(&words, " ms");
    if (stage != DJ_STAGE_COUNT) {
        dj_text_format(&words, "  %s %.1f, usually %.1f", dj_frame_stage_name(stage),
                       (double)frame->stages.ns[stage] / 1e6,
                       figures->p50_ns[stage] / 1e6);
    }
    dj_lines_add_words(screen, style, DJ_TONE_BAD, dj_xtext(&words));
    dj_text_finish(&words);
}

/* Adds the ids of the rules that found a frame. On a narrow screen, each line has as many
 * as fit. */
static void add_findings(struct dj_live_screen *screen,
                         const struct dj_terminal_style *style,
                         const struct dj_live_frame *frame)
{
    struct dj_text words = {0};
    const char *separator = "  findings: ";
    for (int i = 0; i < DJ_FINDING_COUNT; i++) {
        const char *id = dj_frame_finding_rule((enum dj_finding_id)i)->id;
        if ((frame->findings >> i & 1) == 0) {
            continue;
        }
        if (words.length > 0 && words.length + 2 + strlen(id) > (size_t)style->width) {
            dj_lines_add_words(screen, style, DJ_TONE_PLAIN, dj_xtext(&words));
            dj_text_clear(&words);
            separator = "    ";
        }
        dj_text_format(&words, "%s%s", separator, id);
        separator = ", ";
    }
    if (words.length > 0) {
        dj_lines_add_words(screen, style, DJ_TONE_PLAIN, dj_xtext(&words));
    }
    dj_text_finish(&words);
}

static void add_janky_frames(struct dj_live_screen *screen,
                             const struct dj_terminal_style *style,
                             const struct dj_live *live,
                             const struct stage_figures *figures)
{
    size_t shown = 0;
    for (size_t i = dj_live_frame_count(live); i-- > 0 && shown < JANKY_FRAMES;) {
        const struct dj_live_frame *frame = dj_live_get_frame(live, i);
        if (!frame->is_janky) {
            continue;
        }
        if (shown++ == 0) {
            add_heading(screen, style, "Last janky frames");
        }
        add_janky_frame(screen, style, frame, figures);
        add_findings(screen, style, frame);
    }
}

void dj_report_live_add_app(struct dj_live_screen *screen,
                            const struct dj_terminal_style *style,
                            const struct dj_live_row *row)
{
    struct dj_live_figures total;
    struct stage_figures stages;
    dj_live_compute_total(row->live, &total);
    compute_stages(row->live, &stages);
    add_name(screen, style, row->live);
    add_figures(screen, style, "last 10 s", &row->figures);
    add_figures(screen, style, "since start", &total);
    struct dj_live_line *line = dj_lines_add(screen, DJ_TONE_PLAIN);
    dj_lines_append_sparkline(&line->text, style, row->live, (size_t)style->width);
    add_histogram(screen, style, row->live);
    add_stages(screen, style, &stages);
    add_janky_frames(screen, style, row->live, &stages);
}
