#include "reference/values.h"

#include <string.h>

/* Names of devices that exist on all machines. Completions do not query adb for other
 * devices. */
#define DEVICES "local: adb:"

/* Returns whether a name is an enumeration: words in lower case, such as "on|off". */
static bool is_enumeration(const char *name)
{
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz-|")] == '\0';
}

static enum dj_value_source find_source(const char *name)
{
    return name == NULL                                          ? DJ_VALUES_NONE
           : strstr(name, "FILE") != NULL                        ? DJ_VALUES_FILES
           : strcmp(name, "DIR") == 0                            ? DJ_VALUES_FOLDERS
           : strcmp(name, "CMD") == 0                            ? DJ_VALUES_COMMANDS
           : strcmp(name, "DEVICE") == 0 || is_enumeration(name) ? DJ_VALUES_WORDS
                                                                 : DJ_VALUES_NONE;
}

enum dj_value_source dj_values_of_option(const struct dj_option *option)
{
    struct dj_str word;
    return dj_cli_option_choice(option, 0, &word) ? DJ_VALUES_WORDS
                                                  : find_source(option->value);
}

enum dj_value_source dj_values_of_operand(const struct dj_verb *verb)
{
    return find_source(verb->operands.name);
}

static void append_word(struct dj_text *text, size_t index, struct dj_str word)
{
    dj_text_add(text, index > 0 ? " " : "");
    dj_text_append(text, word.at, word.length);
}

static void append_alternatives(struct dj_text *text, const char *name)
{
    struct dj_str word;
    for (size_t i = 0; dj_cli_alternative(name, i, &word); i++) {
        append_word(text, i, word);
    }
}

void dj_values_append_option_words(struct dj_text *text, const struct dj_option *option)
{
    struct dj_str word;
    size_t count = 0;
    for (; dj_cli_option_choice(option, count, &word); count++) {
        append_word(text, count, word);
    }
    if (count == 0) {
        dj_text_add(text, DEVICES);
    }
}

void dj_values_append_operand_words(struct dj_text *text, const struct dj_verb *verb)
{
    if (strcmp(verb->operands.name, "DEVICE") == 0) {
        dj_text_add(text, DEVICES);
    } else {
        append_alternatives(text, verb->operands.name);
    }
}
