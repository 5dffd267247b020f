#include "report/terminal/lines.h"

#include <math.h>
#include <string.h>

#include "gfxinfo/scan.h"
#include "memory/memory.h"
#include "report/escape/name.h"

struct dj_terminal dj_terminal_init(struct dj_text *text,
                                    const struct dj_terminal_style *style)
{
    struct dj_terminal out = {text, *style};
    out.style.width = style->width < DJ_TERMINAL_MIN_WIDTH   ? DJ_TERMINAL_MIN_WIDTH
                      : style->width > DJ_TERMINAL_MAX_WIDTH ? DJ_TERMINAL_MAX_WIDTH
                                                             : style->width;
    return out;
}

void dj_terminal_set_color(struct dj_terminal *out, int color)
{
    if (!out->style.color) {
        return;
    }
    if (color == DJ_COLOR_NONE) {
        dj_text_add(out->text, "\033[0m");
    } else {
        dj_text_format(out->text, "\033[38;5;%dm", color);
    }
}

void dj_terminal_set_bold(struct dj_terminal *out, bool on)
{
    if (out->style.color) {
        dj_text_add(out->text, on ? "\033[1m" : "\033[0m");
    }
}

const char *dj_terminal_choose_glyph(const struct dj_terminal *out, const char *unicode,
                                     const char *ascii)
{
    return out->style.unicode ? unicode : ascii;
}

void dj_terminal_write_repeated(struct dj_terminal *out, const char *glyph, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dj_text_add(out->text, glyph);
    }
}

void dj_terminal_write_colored(struct dj_terminal *out, int color, const char *string)
{
    dj_terminal_set_color(out, color);
    dj_text_add(out->text, string);
    dj_terminal_set_color(out, DJ_COLOR_NONE);
}

void dj_terminal_write_rule(struct dj_terminal *out, const char *label)
{
    const char *line = dj_terminal_choose_glyph(out, "─", "-");
    size_t width = (size_t)out->style.width;
    size_t used = 2 + strlen(label);
    dj_terminal_set_color(out, DJ_COLOR_DEADLINE);
    dj_terminal_write_repeated(out, line, 2);
    dj_text_add(out->text, label);
    dj_terminal_write_repeated(out, line, width > used ? width - used : 0);
    dj_terminal_set_color(out, DJ_COLOR_NONE);
    dj_text_add(out->text, "\n");
}

/* Appends a sentence in ASCII. dejank's own sentences contain a few characters beyond
 * ASCII, which are respelled. Names in it are already escaped. */
static void write_ascii(struct dj_text *out, const char *sentence)
{
    static const struct {
        int32_t code;
        const char *ascii;
    } spellings[] = {{0x2013, "-"},   {0x2014, "-"},   {0x2212, "-"},  {0x2192, "->"},
                     {0x2026, "..."}, {0x221e, "inf"}, {0xb0, "deg "}, {0xb1, "+/-"},
                     {0xd7, "x"},     {0xf7, "/"},     {0x2264, "<="}, {0x2265, ">="}};
    size_t length = strlen(sentence);
    for (size_t i = 0; i < length;) {
        struct dj_character one = dj_name_read_character(sentence + i, length - i);
        const char *ascii = "?";
        for (size_t k = 0; k < COUNT_OF(spellings); k++) {
            ascii = spellings[k].code == one.code ? spellings[k].ascii : ascii;
        }
        if (one.code >= 0 && one.code < 0x80) {
            dj_text_append(out, sentence + i, 1);
        } else {
            dj_text_add(out, ascii);
        }
        i += one.bytes;
    }
}

void dj_terminal_write_words(struct dj_terminal *out, const char *words)
{
    if (out->style.unicode) {
        dj_text_add(out->text, words);
    } else {
        write_ascii(out->text, words);
    }
}

/* Returns the number of bytes of `word` that fit into `columns`, or of its first
 * character if none fits. */
static size_t count_fitting_bytes(const char *word, size_t length, size_t columns,
                                  size_t *used)
{
    size_t bytes = 0;
    *used = 0;
    while (bytes < length) {
        struct dj_character one = dj_name_read_character(word + bytes, length - bytes);
        if (bytes > 0 && *used + (size_t)one.columns > columns) {
            break;
        }
        *used += (size_t)one.columns;
        bytes += one.bytes;
    }
    return bytes;
}

static bool is_unit(const char *word)
{
    static const char *const units[] = {"ms", "s", "Hz", "%"};
    size_t length = strcspn(word, " .,;:)");
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (length == strlen(units[i]) && memcmp(word, units[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the length of the first word. A value and its unit are one word, so that they
 * stay on one line. */
static size_t measure_word(const char *sentence)
{
    size_t length = strcspn(sentence, " ");
    if (length > 0 && dj_gfxinfo_is_digit(sentence[length - 1]) &&
        sentence[length] == ' ' && is_unit(sentence + length + 1)) {
        length += 1 + strcspn(sentence + length + 1, " ");
    }
    return length;
}

static void wrap_sentence(struct dj_terminal *out, const char *first, const char *rest,
                          const char *sentence)
{
    size_t margin = dj_name_count_columns(first);
    size_t hang = dj_name_count_columns(rest);
    margin = hang > margin ? hang : margin;
    size_t available =
        (size_t)out->style.width > margin ? (size_t)out->style.width - margin : 1;
    size_t column = 0;
    dj_text_add(out->text, first);
    while (*sentence != '\0') {
        size_t length = measure_word(sentence);
        size_t all;
        size_t whole = count_fitting_bytes(sentence, length, SIZE_MAX, &all);
        size_t gap = column > 0 ? 1 : 0;
        if (column > 0 && column + gap + all > available) {
            dj_text_format(out->text, "\n%s", rest);
            column = 0;
            gap = 0;
        }
        size_t used = 0;
        size_t part = whole > 0 ? count_fitting_bytes(sentence, length,
                                                      available - column - gap, &used)
                                : 0;
        dj_terminal_write_repeated(out, " ", gap);
        for (size_t i = 0; i < part; i++) {
            dj_text_append(out->text, sentence[i] == DJ_GLUE[0] ? " " : &sentence[i], 1);
        }
        column += gap + used;
        sentence += part;
        if (part < length) {
            dj_text_format(out->text, "\n%s", rest);
            column = 0;
        } else if (*sentence == ' ') {
            sentence++;
        }
    }
    dj_text_add(out->text, "\n");
}

void dj_terminal_wrap(struct dj_terminal *out, const char *first, const char *rest,
                      const char *sentence)
{
    struct dj_text ascii = {0};
    if (!out->style.unicode) {
        write_ascii(&ascii, sentence);
    }
    wrap_sentence(out, first, rest, out->style.unicode ? sentence : dj_xtext(&ascii));
    dj_text_finish(&ascii);
}

void dj_terminal_wrap_and_finish(struct dj_terminal *out, const char *first,
                                 const char *rest, struct dj_text *words)
{
    dj_terminal_wrap(out, first, rest, dj_xtext(words));
    dj_text_finish(words);
}

void dj_terminal_remove_blanks(struct dj_text *text, size_t start)
{
    size_t new_length = start;
    for (size_t i = start; i < text->length; i++) {
        while (text->data[i] == '\n' && new_length > start &&
               text->data[new_length - 1] == ' ') {
            new_length--;
        }
        text->data[new_length++] = text->data[i];
    }
    if (text->length > start) {
        text->length = new_length;
        text->data[new_length] = '\0';
    }
}

void dj_terminal_write_bar(struct dj_terminal *out, double part, double whole,
                           size_t columns)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (part <= 0 || whole <= 0) {
        return;
    }
    size_t steps = out->style.unicode ? 8 : 1;
    size_t length = (size_t)(part / whole * (double)(columns * steps) + 0.5);
    length = length == 0 ? 1 : length;
    dj_terminal_write_repeated(out, dj_terminal_choose_glyph(out, "█", "#"),
                               length / steps);
    dj_text_add(out->text, eighths[length % steps]);
}

void dj_terminal_append_sparkline(struct dj_text *text, const double *shares,
                                  size_t count, bool unicode)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {"_", ".", "-", "=", "+", "*", "#", "@"};
    for (size_t i = 0; i < count; i++) {
        double height = fmin(fmax(shares[i], 0) * COUNT_OF(blocks), COUNT_OF(blocks) - 1);
        dj_text_add(text, shares[i] < 0 ? " "
                          : unicode     ? blocks[(size_t)height]
                                        : ascii[(size_t)height]);
    }
}
