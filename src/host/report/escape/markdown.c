#include "report/escape/markdown.h"

#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"

static size_t find_longest_run(const char *string, char of)
{
    size_t longest = 0;
    size_t run = 0;
    for (; *string != '\0'; string++) {
        run = *string == of ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Writes a code span. It ends at as many backticks as it began with, so it begins with
 * one backtick more than the longest sequence of backticks in `string`. */
void dj_markdown_write_code(struct dj_text *text, const char *string)
{
    struct dj_text safe = {0};
    dj_name_escape(&safe, string, false);
    const char *name = dj_xtext(&safe);
    size_t ticks = find_longest_run(name, '`') + 1;
    const char *pad = name[0] == '`' || name[0] == ' ' || name[0] == '\0' ||
                              name[safe.length - 1] == '`'
                          ? " "
                          : "";
    for (size_t i = 0; i < ticks; i++) {
        dj_text_add(text, "`");
    }
    dj_text_format(text, "%s%s%s", pad, name, pad);
    for (size_t i = 0; i < ticks; i++) {
        dj_text_add(text, "`");
    }
    dj_text_finish(&safe);
}

void dj_markdown_escape(struct dj_text *text, const char *string)
{
    struct dj_text safe = {0};
    dj_name_escape(&safe, string, false);
    for (const char *at = dj_xtext(&safe); *at != '\0'; at++) {
        dj_text_add(text, strchr("\\`*_{}[]<>#|~&!$", *at) != NULL ? "\\" : "");
        dj_text_append(text, at, 1);
    }
    dj_text_finish(&safe);
}

void dj_markdown_escape_and_finish(struct dj_text *text, struct dj_text *words)
{
    dj_markdown_escape(text, dj_xtext(words));
    dj_text_finish(words);
}
