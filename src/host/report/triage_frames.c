/* The worst frames as bars: a letter, and a colour, for each kind of cause. */
#include "report/triage.h"
#include "report/triage_parts.h"

enum { NAME_WIDTH = 16, LEAST_BAR = 10 };

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

/* The kind that has most of [from_ns, to_ns). */
static enum dj_cause_kind kind_at(const struct dj_triage_worst *frame, int64_t from_ns,
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

static void put_mark(struct dj_text *text, enum dj_cause_kind kind, bool color)
{
    if (color) {
        dj_text_format(text, "\033[97;48;5;%um%c\033[0m", marks[kind].color,
                       marks[kind].letter);
    } else {
        dj_text_append(text, &marks[kind].letter, 1);
    }
}

static void put_bar(struct dj_text *text, const struct dj_triage_worst *frame,
                    int64_t column_ns, bool color, bool seen[DJ_CAUSE_KINDS])
{
    for (int64_t at_ns = frame->start_ns; at_ns < frame->end_ns; at_ns += column_ns) {
        int64_t end_ns =
            at_ns + column_ns < frame->end_ns ? at_ns + column_ns : frame->end_ns;
        if (at_ns <= frame->deadline_ns && frame->deadline_ns < at_ns + column_ns) {
            dj_text_string(text, "|");
            continue;
        }
        enum dj_cause_kind kind = kind_at(frame, at_ns, end_ns);
        seen[kind] = true;
        put_mark(text, kind, color);
    }
}

void dj_report_triage_frames(struct dj_text *text, const struct dj_triage_result *result,
                             const struct dj_terminal_style *style)
{
    bool seen[DJ_CAUSE_KINDS] = {false};
    int64_t longest_ns = 1;
    int width = style->width - NAME_WIDTH - 12;
    width = width < LEAST_BAR ? LEAST_BAR : width;
    for (size_t i = 0; i < result->worst_count; i++) {
        int64_t length_ns = result->worst[i].end_ns - result->worst[i].start_ns;
        longest_ns = length_ns > longest_ns ? length_ns : longest_ns;
    }
    int64_t column_ns = longest_ns / width + 1;
    dj_text_string(text,
                   result->worst_count > 0
                       ? "\nThe worst frames, from start to end (| is the deadline):\n"
                       : "");
    for (size_t i = 0; i < result->worst_count; i++) {
        const struct dj_triage_worst *frame = &result->worst[i];
        size_t before = text->length;
        dj_text_string(text, "  ");
        dj_text_escaped_name(text, frame->frame);
        if (!text->failed && text->length > before + NAME_WIDTH) {
            text->length = before + NAME_WIDTH;
            text->data[text->length] = '\0';
        }
        dj_text_format(text, "%*s %6.1f ms ", (int)(NAME_WIDTH - (text->length - before)),
                       "", (double)(frame->end_ns - frame->start_ns) / 1e6);
        put_bar(text, frame, column_ns, style->color, seen);
        dj_text_string(text, "\n");
    }
    const char *separator = "  ";
    for (int kind = 0; kind < DJ_CAUSE_KINDS; kind++) {
        if (seen[kind]) {
            dj_text_string(text, separator);
            put_mark(text, (enum dj_cause_kind)kind, style->color);
            dj_text_format(text, " %s", dj_cause_kind_name((enum dj_cause_kind)kind));
            separator = "  ";
        }
    }
    dj_text_string(text, result->worst_count > 0 ? "\n" : "");
}
