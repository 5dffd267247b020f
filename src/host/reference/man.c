#include <string.h>

#include "base/utf8.h"
#include "cli/help.h"
#include "cli/layout.h"
#include "cli/verbs.h"
#include "reference/reference.h"

/* Appends bytes so that roff prints them as they are. `in_line` is false at the start of
 * a line, where a dot or a quote would begin a macro. */
static void append_literal(struct dj_text *text, struct dj_str words, bool in_line)
{
    if (!in_line && words.length > 0 && strchr(".'", words.at[0]) != NULL) {
        dj_text_add(text, "\\&");
    }
    for (size_t i = 0; i < words.length;) {
        struct dj_utf8 character = dj_utf8_at(words.at + i, words.length - i);
        if (character.code == '\\') {
            dj_text_add(text, "\\e");
        } else if (character.code == '-') {
            dj_text_add(text, "\\-");
        } else if (character.code > 0x7f) {
            dj_text_format(text, "\\[u%04X]", (unsigned)character.code);
        } else {
            dj_text_append(text, words.at + i, character.bytes);
        }
        i += character.bytes;
    }
}

/* Appends a line of text, with each sentence on a line of its own: roff then spaces
 * sentences correctly. */
static void append_sentences(struct dj_text *text, struct dj_str words)
{
    while (words.length > 0) {
        size_t length = 0;
        while (length < words.length &&
               !(words.at[length] == ' ' && length > 0 && words.at[length - 1] == '.')) {
            length++;
        }
        append_literal(text, (struct dj_str){words.at, length}, false);
        dj_text_add(text, "\n");
        words = dj_str_from(words, length < words.length ? length + 1 : length);
    }
}

static void append_sentence(struct dj_text *text, const char *words)
{
    append_sentences(text, dj_str_of(words));
}

/* Appends words as an argument of a macro. */
static void append_argument(struct dj_text *text, struct dj_str words)
{
    dj_text_add(text, "\"\\&");
    for (size_t i = 0; i < words.length; i++) {
        if (words.at[i] == '"') {
            dj_text_add(text, "\\(dq");
        } else {
            size_t length = dj_utf8_at(words.at + i, words.length - i).bytes;
            append_literal(text, (struct dj_str){words.at + i, length}, true);
            i += length - 1;
        }
    }
    dj_text_add(text, "\"");
}

/* Appends a description or a list of exit codes. `separated` starts each paragraph with
 * an empty line. */
static void append_blocks(struct dj_text *text, const char *description, bool separated)
{
    struct dj_layout_block block;
    bool in_list = false;
    while (dj_cli_layout_next(&description, &block)) {
        bool is_item = block.term.length > 0;
        if (is_item && !in_list) {
            dj_text_add(text, ".Bl -tag -width Ds\n");
        } else if (!is_item) {
            dj_text_add(text, in_list ? ".El\n" : "");
            dj_text_add(text, separated ? ".Pp\n" : "");
        }
        if (is_item) {
            dj_text_add(text, ".It ");
            append_argument(text, block.term);
            dj_text_add(text, "\n");
        }
        append_sentences(text, block.words);
        in_list = is_item;
        separated = true;
    }
    dj_text_add(text, in_list ? ".El\n" : "");
}

static void append_option(struct dj_text *text, const struct dj_option *option)
{
    struct dj_text name = {0};
    dj_cli_append_option_name(&name, option);
    dj_text_add(text, ".It ");
    append_argument(text, dj_text_str(&name));
    dj_text_add(text, "\n");
    append_sentence(text, option->help);
    dj_text_finish(&name);
}

static void append_options(struct dj_text *text, const struct dj_verb *verb)
{
    static const struct dj_option help = {
        .name = "help", .letter = 'h', .help = "print a short help"};
    bool in_list = false;
    dj_text_add(text, ".Sh OPTIONS\n");
    for (size_t i = 0; i < verb->option_count; i++) {
        const char *heading = dj_cli_find_help_heading(verb, &verb->options[i]);
        if (heading != NULL) {
            dj_text_format(text, "%s.Ss %s\n", in_list ? ".El\n" : "", heading);
        }
        if (heading != NULL || !in_list) {
            dj_text_add(text, ".Bl -tag -width Ds\n");
        }
        in_list = true;
        append_option(text, &verb->options[i]);
    }
    append_option(text, &help);
    dj_text_add(text, ".El\n");
}

static void append_synopsis(struct dj_text *text, const struct dj_verb *verb)
{
    const char *form = verb->synopsis;
    dj_text_add(text, ".Sh SYNOPSIS\n.Bl -item -compact\n");
    while (*form != '\0') {
        size_t length = strcspn(form, "\n");
        dj_text_format(text, ".It\n.Nm dejank %s\n", verb->name);
        append_literal(text, (struct dj_str){form, length}, false);
        dj_text_add(text, "\n");
        form += length + (form[length] == '\n');
    }
    dj_text_add(text, ".El\n");
}

static void append_examples(struct dj_text *text, const struct dj_verb *verb)
{
    dj_text_add(text, ".Sh EXAMPLES\n");
    for (size_t i = 0; i < verb->example_count; i++) {
        append_sentence(text, verb->examples[i].purpose);
        dj_text_add(text, ".Bd -literal -offset indent\n$ ");
        append_literal(text, dj_str_of(verb->examples[i].command), true);
        dj_text_add(text, "\n.Ed\n");
        dj_text_add(text, i + 1 < verb->example_count ? ".Pp\n" : "");
    }
}

static void append_page_name(struct dj_text *text, const char *verb_name)
{
    const char *space = strchr(verb_name, ' ');
    size_t length = strcspn(verb_name, " ");
    dj_text_format(text, "dejank-%.*s%s%s", (int)length, verb_name,
                   space != NULL ? "-" : "", space != NULL ? space + 1 : "");
}

static void append_upper(struct dj_text *text, struct dj_str words)
{
    for (size_t i = 0; i < words.length; i++) {
        char byte = words.at[i];
        byte = byte >= 'a' && byte <= 'z' ? (char)(byte - 'a' + 'A') : byte;
        dj_text_append(text, &byte, 1);
    }
}

void dj_reference_append_page(struct dj_text *text, const struct dj_verb *verb,
                              struct dj_str date)
{
    struct dj_text name = {0};
    append_page_name(&name, verb->name);
    dj_text_format(text, ".\\\" Generated from src/host/cli/verbs.\n.Dd %.*s\n.Dt ",
                   (int)date.length, date.at);
    append_upper(text, dj_text_str(&name));
    dj_text_format(text, " 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", dj_text_get(&name));
    append_sentence(text, verb->summary);
    append_synopsis(text, verb);
    dj_text_add(text, ".Sh DESCRIPTION\n");
    append_blocks(text, verb->description, false);
    append_options(text, verb);
    dj_text_add(text, ".Sh EXIT STATUS\n");
    if (verb->exit_codes != NULL) {
        append_blocks(text, verb->exit_codes, false);
        dj_text_add(text, ".Pp\n");
    }
    dj_text_add(text, ".Xr dejank 1\nlists all exit codes.\n");
    append_examples(text, verb);
    dj_text_add(text, ".Sh SEE ALSO\n.Xr dejank 1 ,\n.Xr dumpsys 1\n");
    dj_text_finish(&name);
}

static void append_groups(struct dj_text *text)
{
    for (int group = 0; group < DJ_VERB_GROUPS; group++) {
        dj_text_format(text, ".Ss %s\n.Bl -tag -width Ds\n", dj_verb_groups[group].title);
        for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
            if (dj_cli_verb_group_of(i) == (enum dj_verb_group)group) {
                dj_text_add(text, ".It Xr ");
                append_page_name(text, dj_cli_verb_at(i)->name);
                dj_text_add(text, " 1\n");
                append_sentence(text, dj_cli_verb_at(i)->summary);
            }
        }
        dj_text_add(text, ".El\n");
    }
}

bool dj_reference_append_overview(struct dj_text *text, const char *source)
{
    static const char line[] = "\n@VERBS@\n";
    const char *place = strstr(source, line);
    if (place == NULL) {
        return false;
    }
    dj_text_append(text, source, (size_t)(place - source) + 1);
    append_groups(text);
    dj_text_add(text, place + strlen(line));
    return true;
}

struct dj_str dj_reference_find_date(const char *page)
{
    static const char macro[] = "\n.Dd ";
    const char *place = strstr(page, macro);
    const char *at = place != NULL ? place + strlen(macro) : "";
    return (struct dj_str){at, strcspn(at, "\n")};
}
