#include <string.h>

#include "cli/verbs.h"
#include "reference/reference.h"
#include "reference/values.h"

static const char head[] =
    "# Completions of dejank for fish. Generated from src/host/cli/verbs.\n"
    "\n"
    "# Prints the words of the verb before the cursor, without options.\n"
    "function __dejank_verb\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1]\n"
    "    test \"$words[1]\" = help; and set -e words[1]\n"
    "    set -l verb \"$words[1]\"\n"
    "    contains -- \"$verb\" $argv; and test (count $words) -gt 1; and set verb "
    "\"$verb "
    "$words[2]\"\n"
    "    echo \"$verb\"\n"
    "end\n"
    "\n"
    "complete -c dejank -f\n"
    "complete -c dejank -n 'test (__dejank_verb) = \"\"' -l version -d 'print the "
    "version'\n"
    "complete -c dejank -s h -l help -d 'print help'\n"
    "complete -c dejank -n 'test (__dejank_verb) = \"\"' -a help -d 'print help'\n";

/* Appends a string in single quotes for fish. */
static void append_quoted(struct dj_text *text, const char *words)
{
    dj_text_add(text, "'");
    for (; *words != '\0'; words++) {
        dj_text_add(text, *words == '\'' || *words == '\\' ? "\\" : "");
        dj_text_append(text, words, 1);
    }
    dj_text_add(text, "'");
}

/* Appends the names of all topics. */
static void append_topics(struct dj_text *text)
{
    struct dj_str topic;
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        if (dj_cli_verb_starts_topic(i, &topic)) {
            dj_text_format(text, " %.*s", (int)topic.length, topic.at);
        }
    }
}

/* Appends the start of a completion that applies after the given words. */
static void append_condition(struct dj_text *text, const char *words, size_t length)
{
    dj_text_add(text, "complete -c dejank -n 'test (__dejank_verb");
    append_topics(text);
    dj_text_format(text, ") = \"%.*s\"'", (int)length, words);
}

static void append_values(struct dj_text *text, enum dj_value_source source)
{
    static const char *const kinds[] = {
        [DJ_VALUES_FILES] = " -F",
        [DJ_VALUES_FOLDERS] = " -a '(__fish_complete_directories)'",
        [DJ_VALUES_COMMANDS] = " -a '(__fish_complete_command)'",
        [DJ_VALUES_NONE] = "",
        [DJ_VALUES_WORDS] = "",
    };
    dj_text_add(text, kinds[source]);
}

static void append_option(struct dj_text *text, const struct dj_verb *verb,
                          const struct dj_option *option)
{
    enum dj_value_source source = dj_values_of_option(option);
    append_condition(text, verb->name, strlen(verb->name));
    dj_text_format(text, " -l %s", option->name);
    if (option->letter != 0) {
        dj_text_format(text, " -s %c", option->letter);
    }
    if (option->kind != DJ_OPTION_FLAG && !dj_cli_option_is_form(option)) {
        dj_text_add(text, source == DJ_VALUES_FILES ? " -r" : " -x");
    } else if (dj_cli_option_is_form(option)) {
        dj_text_add(text, source == DJ_VALUES_FILES ? "" : " -f");
    }
    append_values(text, source);
    if (source == DJ_VALUES_WORDS) {
        dj_text_add(text, " -a '");
        dj_values_append_option_words(text, option);
        dj_text_add(text, "'");
    }
    dj_text_add(text, " -d ");
    append_quoted(text, option->help);
    dj_text_add(text, "\n");
}

static void append_operand(struct dj_text *text, const struct dj_verb *verb)
{
    enum dj_value_source source = dj_values_of_operand(verb);
    if (source == DJ_VALUES_NONE) {
        return;
    }
    append_condition(text, verb->name, strlen(verb->name));
    append_values(text, source);
    if (source == DJ_VALUES_WORDS) {
        dj_text_add(text, " -a '");
        dj_values_append_operand_words(text, verb);
        dj_text_add(text, "'");
    }
    dj_text_add(text, "\n");
}

/* Appends the completion of the verb's own words. */
static void append_name(struct dj_text *text, size_t index)
{
    const struct dj_verb *verb = dj_cli_verb_at(index);
    const char *space = strchr(verb->name, ' ');
    size_t length = strcspn(verb->name, " ");
    struct dj_str topic;
    if (dj_cli_verb_starts_topic(index, &topic)) {
        append_condition(text, "", 0);
        dj_text_format(text, " -a %.*s -d 'verbs of %.*s'\n", (int)topic.length, topic.at,
                       (int)topic.length, topic.at);
    }
    append_condition(text, verb->name, space != NULL ? length : 0);
    dj_text_format(text, " -a %s -d ", space != NULL ? space + 1 : verb->name);
    append_quoted(text, verb->summary);
    dj_text_add(text, "\n");
}

void dj_reference_append_fish(struct dj_text *text)
{
    dj_text_add(text, head);
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        dj_text_add(text, "\n");
        append_name(text, i);
        for (size_t k = 0; k < verb->option_count; k++) {
            append_option(text, verb, &verb->options[k]);
        }
        append_operand(text, verb);
    }
}
