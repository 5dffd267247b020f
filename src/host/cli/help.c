#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/layout.h"
#include "cli/verbs.h"

enum { OPTION_COLUMN = 28, VERB_COLUMN = 17, CODE_COLUMN = 5, MARGIN = 2 };

static void append_line(struct dj_text *text, const char *words, size_t indent)
{
    dj_text_format(text, "%*s", (int)indent, "");
    dj_layout_wrap(text, dj_str_of(words), indent, indent);
}

static bool is_line_of(struct dj_str line, const char *command)
{
    return dj_str_is(dj_str_until(line, " \t:"), command);
}

/* Returns the line that begins with the command, or an empty string. */
static struct dj_str find_line(const char *lines, const char *command)
{
    struct dj_str rest = dj_str_of(lines), line;
    while (dj_str_next_line(&rest, &line)) {
        if (is_line_of(line, command)) {
            return line;
        }
    }
    return (struct dj_str){NULL, 0};
}

static void append_usage(struct dj_text *text, const struct dj_verb *verb,
                         struct dj_str synopsis)
{
    size_t column = strlen("usage: dejank  ") + strlen(verb->name);
    const char *before = "usage:";
    struct dj_str line;
    while (dj_str_next_line(&synopsis, &line)) {
        dj_text_format(text, "%s dejank %s ", before, verb->name);
        dj_layout_wrap(text, line, column, column);
        before = "      ";
    }
    dj_text_add(text, "\n");
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

static void append_options(struct dj_text *text, const struct dj_verb *verb,
                           const char *command)
{
    static const struct dj_option help = {
        .name = "help", .letter = 'h', .kind = DJ_OPTION_FLAG, .help = "print this help"};
    if (verb->group_count == 0) {
        dj_text_add(text, "\nOptions:\n");
    }
    const char *heading = NULL;
    for (size_t i = 0; i < verb->option_count; i++) {
        const char *next = dj_cli_find_help_heading(verb, &verb->options[i]);
        heading = next != NULL ? next : heading;
        if (command != NULL && !verb->accepts(command, verb->options[i].name)) {
            continue;
        }
        if (heading != NULL) {
            dj_text_format(text, "\n%s:\n", heading);
        }
        heading = NULL;
        append_option(text, &verb->options[i]);
    }
    dj_text_add(text, verb->group_count > 0 ? "\n" : "");
    append_option(text, &help);
}

static void append_examples(struct dj_text *text, const struct dj_verb *verb,
                            const char *command)
{
    size_t skipped = strlen("dejank  ") + strlen(verb->name);
    const char *heading = "\nExamples:\n";
    for (size_t i = 0; i < verb->example_count; i++) {
        const struct dj_example *example = &verb->examples[i];
        if (command == NULL ||
            is_line_of(dj_str_of(example->command + skipped), command)) {
            dj_text_add(text, heading);
            append_line(text, example->purpose, MARGIN);
            append_line(text, example->command, (size_t)2 * MARGIN);
            heading = "";
        }
    }
}

/* Appends the summary as a sentence. */
static void append_summary_line(struct dj_text *text, struct dj_str summary)
{
    char first = summary.at[0];
    first = first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first;
    struct dj_text line = {0};
    dj_text_format(&line, "%c%.*s.", first, (int)summary.length - 1, summary.at + 1);
    dj_layout_wrap(text, dj_text_str(&line), 0, 0);
    dj_text_finish(&line);
}

/* Appends the exit codes of a command. "COMMAND: TEXT" belongs only to that command. */
static void append_command_codes(struct dj_text *text, const char *codes,
                                 const char *command)
{
    struct dj_layout_block block;
    while (dj_cli_layout_next(&codes, &block)) {
        if (is_line_of(block.words, command) ||
            dj_str_until(block.words, ":").length == block.words.length) {
            dj_layout_append_item(text, block.term, block.words, CODE_COLUMN);
        }
    }
}

void dj_help_append_verb(struct dj_text *text, const struct dj_verb *verb,
                         const char *operand)
{
    struct dj_str line = operand != NULL && verb->accepts != NULL
                             ? find_line(verb->synopsis, operand)
                             : (struct dj_str){NULL, 0};
    const char *command = line.length > 0 ? operand : NULL;
    if (command != NULL) {
        struct dj_str summary = find_line(verb->description, command);
        append_usage(text, verb, line);
        append_summary_line(text, dj_str_from(summary, strlen(command) + 1));
        append_options(text, verb, command);
    } else {
        append_usage(text, verb, dj_str_of(verb->synopsis));
        append_summary_line(text, dj_str_of(verb->summary));
        append_options(text, verb, NULL);
        dj_layout_append(text, verb->description);
    }
    append_examples(text, verb, command);
    dj_text_add(text, verb->exit_codes != NULL ? "\nExit codes:\n" : "");
    if (command != NULL && verb->exit_codes != NULL) {
        append_command_codes(text, verb->exit_codes, command);
    } else if (verb->exit_codes != NULL) {
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
