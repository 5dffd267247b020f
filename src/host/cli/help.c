#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/layout.h"
#include "cli/verbs.h"

enum { OPTION_COLUMN = 28, VERB_COLUMN = 17, MARGIN = 2 };

static void append_line(struct dj_text *text, const char *words, size_t indent)
{
    dj_text_format(text, "%*s", (int)indent, "");
    dj_layout_wrap(text, dj_str_of(words), indent, indent);
}

void dj_help_append_usage(struct dj_text *text, const struct dj_verb *verb)
{
    const char *at = verb->synopsis;
    for (bool first = true; *at != '\0'; first = false) {
        size_t length = strcspn(at, "\n");
        const char *before = first ? "usage:" : "      ";
        dj_text_format(text, "%s dejank %s ", before, verb->name);
        size_t column = strlen("usage: dejank  ") + strlen(verb->name);
        dj_layout_wrap(text, (struct dj_str){at, length}, column, column);
        at += length + (at[length] == '\n');
    }
}

void dj_cli_append_option_name(struct dj_text *text, const struct dj_option *option)
{
    if (option->letter != 0) {
        dj_text_format(text, "-%c, ", option->letter);
    }
    dj_text_format(text, "--%s", option->name);
    if (option->value != NULL) {
        dj_text_format(text, dj_cli_option_is_form(option) ? "[=%s]" : " %s",
                       option->value);
    }
}

const char *dj_cli_find_help_heading(const struct dj_verb *verb,
                                     const struct dj_option *option)
{
    for (size_t i = 0; i < verb->group_count; i++) {
        if (strcmp(verb->groups[i].first, option->name) == 0) {
            return verb->groups[i].title;
        }
    }
    return NULL;
}

static void append_option(struct dj_text *text, const struct dj_option *option)
{
    struct dj_text name = {0};
    dj_text_add(&name, option->letter == 0 ? "    " : "");
    dj_cli_append_option_name(&name, option);
    dj_layout_append_item(text, dj_text_str(&name), dj_str_of(option->help),
                          OPTION_COLUMN);
    dj_text_finish(&name);
}

static void append_options(struct dj_text *text, const struct dj_verb *verb)
{
    static const struct dj_option help = {
        .name = "help", .letter = 'h', .kind = DJ_OPTION_FLAG, .help = "print this help"};
    if (verb->group_count == 0) {
        dj_text_add(text, "\nOptions:\n");
    }
    for (size_t i = 0; i < verb->option_count; i++) {
        const char *heading = dj_cli_find_help_heading(verb, &verb->options[i]);
        if (heading != NULL) {
            dj_text_format(text, "\n%s:\n", heading);
        }
        append_option(text, &verb->options[i]);
    }
    dj_text_add(text, verb->group_count > 0 ? "\n" : "");
    append_option(text, &help);
}

static void append_examples(struct dj_text *text, const struct dj_verb *verb)
{
    dj_text_add(text, "\nExamples:\n");
    for (size_t i = 0; i < verb->example_count; i++) {
        append_line(text, verb->examples[i].purpose, MARGIN);
        append_line(text, verb->examples[i].command, (size_t)2 * MARGIN);
    }
}

/* Appends the summary as a sentence. */
static void append_summary_line(struct dj_text *text, const struct dj_verb *verb)
{
    char first = verb->summary[0];
    first = first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first;
    dj_text_format(text, "%c%s.\n", first, verb->summary + 1);
}

void dj_help_append_verb(struct dj_text *text, const struct dj_verb *verb)
{
    dj_help_append_usage(text, verb);
    dj_text_add(text, "\n");
    append_summary_line(text, verb);
    append_options(text, verb);
    dj_layout_append(text, verb->description);
    append_examples(text, verb);
    if (verb->exit_codes != NULL) {
        dj_text_add(text, "\nExit codes:\n");
        dj_layout_append(text, verb->exit_codes);
    }
}

static void append_summary(struct dj_text *text, const struct dj_verb *verb)
{
    dj_layout_append_item(text, dj_str_of(verb->name), dj_str_of(verb->summary),
                          VERB_COLUMN);
}

static void append_exit_codes(struct dj_text *text)
{
    dj_text_add(text, "\nExit codes:\n");
    for (int code = 0; code < DJ_EXIT_CODES; code++) {
        dj_text_format(text, "  %d  %s\n", code, dj_cli_exit_meaning((enum dj_exit)code));
    }
}

void dj_help_append_overview(struct dj_text *text)
{
    dj_text_add(text, "usage: dejank VERB [OPTION]… [OPERAND]…\n"
                      "       dejank help [VERB]\n\n" DJ_SUMMARY "\n");
    for (int group = 0; group < DJ_VERB_GROUPS; group++) {
        dj_text_format(text, "\n%-24s $ %s\n", dj_verb_groups[group].title,
                       dj_verb_groups[group].example);
        for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
            if (dj_cli_verb_group_of(i) == (enum dj_verb_group)group) {
                append_summary(text, dj_cli_verb_at(i));
            }
        }
    }
    append_exit_codes(text);
}

void dj_help_append_topic(struct dj_text *text, const char *first_word)
{
    dj_text_format(text,
                   "usage: dejank %s VERB [OPTION]… [OPERAND]…\n"
                   "       dejank help %s [VERB]\n\nVerbs:\n",
                   first_word, first_word);
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        size_t length = strlen(first_word);
        if (strncmp(verb->name, first_word, length) == 0 && verb->name[length] == ' ') {
            append_summary(text, verb);
        }
    }
}
