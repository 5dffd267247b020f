#include "report/triage/lines.h"

#include "memory/memory.h"
#include "report/escape/name.h"

struct dj_terminal dj_report_init_triage_lines(struct dj_text *text,
                                               const struct dj_terminal_style *style)
{
    struct dj_terminal out = dj_terminal_init(text, style);
    out.style.width = style->width <= 0 ? 0 : out.style.width;
    return out;
}

void dj_report_write_triage_lines(struct dj_terminal *out, const char *first,
                                  const char *rest, struct dj_text *words)
{
    struct dj_text ascii = {0};
    if (!out->style.unicode) {
        dj_name_escape(&ascii, dj_xtext(words), true);
    }
    const char *line = dj_xtext(out->style.unicode ? words : &ascii);
    if (out->style.width == 0) {
        dj_text_format(out->text, "%s%s\n", first, line);
    } else {
        dj_terminal_wrap(out, first, rest, line);
    }
    dj_text_finish(&ascii);
    dj_text_finish(words);
}

void dj_report_write_triage_sentence(struct dj_terminal *out, const char *sentence)
{
    struct dj_text words = {0};
    dj_text_add(&words, sentence);
    dj_report_write_triage_lines(out, "", "", &words);
}
