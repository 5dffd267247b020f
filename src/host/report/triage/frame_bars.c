/* The worst frames as bars: a letter, and a colour, for each kind of cause. */
#include <string.h>

#include "base/units.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/triage/frame_bars.h"
#include "report/triage/lines.h"

enum {
    NAME_WIDTH = 16,
    LABEL_WIDTH = NAME_WIDTH + 13,
    BAR_MIN_WIDTH = 24,
    DEFAULT_WIDTH = 80
};

static const struct {
    char letter;
    uint8_t color;
} marks[DJ_CAUSE_KINDS] = {
    [DJ_CAUSE_UNEXPLAINED] = {'?', 244}, [DJ_CAUSE_OWN_WORK] = {'W', 34},
    [DJ_CAUSE_LOCK] = {'L', 160},        [DJ_CAUSE_RUNNABLE] = {'r', 178},
    [DJ_CAUSE_FREQUENCY] = {'f', 94},    [DJ_CAUSE_IO] = {'I', 27},
    [DJ_CAUSE_IPC] = {'P', 129},         [DJ_CAUSE_GC] = {'C', 130},
    [DJ_CAUSE_SLEEP] = {'s', 244},       [DJ_CAUSE_LATE_WAKE] = {'t', 208},
    [DJ_CAUSE_GPU] = {'G', 37},          [DJ_CAUSE_DISPLAY] = {'D', 25},
};

/* The kind with the largest share of [from_ns, to_ns). */
static enum dj_cause_kind find_kind(const struct dj_triage_worst *frame, int64_t from_ns,
                                    int64_t to_ns)
{
    int64_t sums[DJ_CAUSE_KINDS] = {0};
    enum dj_cause_kind best = DJ_CAUSE_UNEXPLAINED;
    for (size_t i = 0; i < frame->part_count; i++) {
        const struct dj_triage_part *part = &frame->parts[i];
        int64_t start_ns = part->start_ns > from_ns ? part->start_ns : from_ns;
        int64_t end_ns = part->end_ns < to_ns ? part->end_ns : to_ns;
        sums[part->kind] += end_ns > start_ns ? end_ns - start_ns : 0;
        best = sums[part->kind] > sums[best] ? part->kind : best;
    }
    return best;
}

static void write_mark(struct dj_text *text, enum dj_cause_kind kind, bool color)
{
    if (color) {
        dj_text_format(text, "\033[97;48;5;%um%c\033[0m", marks[kind].color,
                       marks[kind].letter);
    } else {
        dj_text_append(text, &marks[kind].letter, 1);
    }
}

static void write_bar(struct dj_text *text, const struct dj_triage_worst *frame,
                      int64_t column_ns, bool color, bool seen[DJ_CAUSE_KINDS])
{
    for (int64_t at_ns = frame->start_ns; at_ns < frame->end_ns; at_ns += column_ns) {
        int64_t end_ns =
            at_ns + column_ns < frame->end_ns ? at_ns + column_ns : frame->end_ns;
        if (at_ns <= frame->deadline_ns && frame->deadline_ns < at_ns + column_ns) {
            dj_text_add(text, "|");
            continue;
        }
        enum dj_cause_kind kind = find_kind(frame, at_ns, end_ns);
        seen[kind] = true;
        write_mark(text, kind, color);
    }
}

/* Writes the frame's name, or its start time if another frame has the same name. */
static void format_label(struct dj_text *words, const struct dj_triage_result *result,
                         size_t number)
{
    const struct dj_triage_worst *frame = &result->worst[number];
    for (size_t i = 0; i < result->worst_count; i++) {
        if (i != number && strcmp(result->worst[i].frame, frame->frame) == 0) {
            dj_text_format(words, "at %.3f s", (double)frame->start_ns / 1e9);
            return;
        }
    }
    dj_text_append_escaped_name(words, frame->frame);
}

/* Writes as much of the name as fits, then blanks. */
static void write_label(struct dj_terminal *out, const struct dj_text *name)
{
    struct dj_text words = {0};
    size_t columns = 0;
    dj_name_escape(&words, dj_xtext(name), !out->style.unicode);
    for (size_t i = 0; i < words.length;) {
        struct dj_character one =
            dj_name_read_character(words.data + i, words.length - i);
        if (columns + (size_t)one.columns > NAME_WIDTH) {
            break;
        }
        dj_text_append(out->text, words.data + i, one.bytes);
        columns += (size_t)one.columns;
        i += one.bytes;
    }
    dj_terminal_write_repeated(out, " ", NAME_WIDTH - columns);
    dj_text_finish(&words);
}

static void write_legend(struct dj_terminal *out, int width,
                         const bool seen[DJ_CAUSE_KINDS])
{
    int used = 0;
    for (int kind = 0; kind < DJ_CAUSE_KINDS; kind++) {
        const char *name = dj_triage_cause_kind_name((enum dj_cause_kind)kind);
        int wide = 4 + (int)strlen(name);
        if (!seen[kind]) {
            continue;
        }
        if (used > 0 && used + wide > width) {
            dj_text_add(out->text, "\n");
            used = 0;
        }
        dj_text_add(out->text, "  ");
        write_mark(out->text, (enum dj_cause_kind)kind, out->style.color);
        dj_text_format(out->text, " %s", name);
        used += wide;
    }
    dj_text_add(out->text, "\n");
}

/* Name and length are before the bar, or above it if the bar would be too short. */
void dj_report_draw_worst_frames(struct dj_terminal *out,
                                 const struct dj_triage_result *result)
{
    bool seen[DJ_CAUSE_KINDS] = {false};
    int width = out->style.width > 0 ? out->style.width : DEFAULT_WIDTH;
    bool above = width < LABEL_WIDTH + BAR_MIN_WIDTH;
    int64_t longest_ns = 1;
    struct dj_text title = {0};
    for (size_t i = 0; i < result->worst_count; i++) {
        int64_t length_ns = result->worst[i].end_ns - result->worst[i].start_ns;
        longest_ns = length_ns > longest_ns ? length_ns : longest_ns;
    }
    int64_t column_ns = longest_ns / (width - (above ? 2 : LABEL_WIDTH)) + 1;
    if (result->worst_count == 0) {
        return;
    }
    dj_text_add(out->text, "\n");
    dj_report_write_triage_sentence(
        out, "The worst frames, from start to end (| is the deadline):");
    for (size_t i = 0; i < result->worst_count; i++) {
        const struct dj_triage_worst *frame = &result->worst[i];
        double length_ms = dj_units_ms(frame->end_ns - frame->start_ns);
        format_label(&title, result, i);
        if (above) {
            dj_text_format(&title, ", %.1f ms:", length_ms);
            dj_report_write_triage_lines(out, "  ", "  ", &title);
            dj_text_add(out->text, "  ");
        } else {
            dj_text_add(out->text, "  ");
            write_label(out, &title);
            dj_text_format(out->text, " %6.1f ms ", length_ms);
            dj_text_clear(&title);
        }
        write_bar(out->text, frame, column_ns, out->style.color, seen);
        dj_text_add(out->text, "\n");
    }
    write_legend(out, width, seen);
    dj_text_finish(&title);
}
