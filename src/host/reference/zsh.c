#include <string.h>

#include "cli/verbs.h"
#include "reference/reference.h"
#include "reference/values.h"

static const char head[] =
    "#compdef dejank\n"
    "# Generated from src/host/cli/verbs.\n"
    "\n"
    "_dejank() {\n"
    "    local -a verbs\n"
    "    [[ $words[2] == help ]] && { shift words; (( CURRENT-- )) }\n";

static const char tail[] = "    esac\n}\n\n_dejank \"$@\"\n";

/* Appends words inside single quotes. Escapes the bytes that are special in a
 * specification of _arguments and _describe. */
static void append_escaped(struct dj_text *text, const char *words)
{
    for (; *words != '\0'; words++) {
        if (*words == '\'') {
            dj_text_add(text, "'\\''");
        } else {
            dj_text_add(text, strchr("[]:\\", *words) != NULL ? "\\" : "");
            dj_text_append(text, words, 1);
        }
    }
}

/* Appends the part of a specification after the name of a value. */
static void append_source(struct dj_text *text, enum dj_value_source source,
                          const char *words)
{
    static const char *const actions[] = {
        [DJ_VALUES_NONE] = " ",
        [DJ_VALUES_FILES] = "_files",
        [DJ_VALUES_FOLDERS] = "_files -/",
        [DJ_VALUES_COMMANDS] = "_command_names -e",
    };
    if (source == DJ_VALUES_WORDS) {
        dj_text_add(text, "(");
        append_escaped(text, words);
        dj_text_add(text, ")");
    } else {
        dj_text_add(text, actions[source]);
    }
}

static void append_value(struct dj_text *text, const struct dj_option *option)
{
    struct dj_text words = {0};
    enum dj_value_source source = dj_values_of_option(option);
    if (source == DJ_VALUES_WORDS) {
        dj_values_append_option_words(&words, option);
    }
    dj_text_add(text, dj_cli_option_is_form(option) ? "::" : ":");
    append_escaped(text, option->value);
    dj_text_add(text, ":");
    append_source(text, source, dj_text_get(&words));
    dj_text_finish(&words);
}

static void append_option(struct dj_text *text, const struct dj_option *option)
{
    const char *repeated = option->kind == DJ_OPTION_LIST ? "*" : "";
    const char *join = option->kind == DJ_OPTION_FLAG  ? ""
                       : dj_cli_option_is_form(option) ? "=-"
                                                       : "=";
    dj_text_add(text, " \\\n            ");
    if (option->letter != 0) {
        dj_text_format(text, "%s{-%c%s,--%s%s}'", repeated[0] != '\0' ? "'*'" : "",
                       option->letter, join[0] != '\0' ? "+" : "", option->name, join);
    } else {
        dj_text_format(text, "'%s--%s%s", repeated, option->name, join);
    }
    dj_text_add(text, "[");
    append_escaped(text, option->help);
    dj_text_add(text, "]");
    if (option->kind != DJ_OPTION_FLAG) {
        append_value(text, option);
    }
    dj_text_add(text, "'");
}

static void append_operand(struct dj_text *text, const struct dj_verb *verb)
{
    struct dj_text words = {0};
    enum dj_value_source source = dj_values_of_operand(verb);
    if (verb->operands.name == NULL) {
        return;
    }
    if (source == DJ_VALUES_WORDS) {
        dj_values_append_operand_words(&words, verb);
    }
    dj_text_add(text, " \\\n            '*:");
    append_escaped(text, verb->operands.name);
    dj_text_add(text, ":");
    append_source(text, source, dj_text_get(&words));
    dj_text_add(text, "'");
    dj_text_finish(&words);
}

static void append_description(struct dj_text *text, const char *word,
                               const char *summary)
{
    dj_text_format(text, "            '%s:", word);
    append_escaped(text, summary);
    dj_text_add(text, "'\n");
}

/* Appends the list of first words. */
static void append_verbs(struct dj_text *text)
{
    struct dj_str topic;
    dj_text_add(text, "    if (( CURRENT == 2 )); then\n        verbs=(\n");
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        if (dj_cli_verb_starts_topic(i, &topic)) {
            dj_text_format(text, "            '%.*s:verbs of %.*s'\n", (int)topic.length,
                           topic.at, (int)topic.length, topic.at);
        } else if (strchr(verb->name, ' ') == NULL) {
            append_description(text, verb->name, verb->summary);
        }
    }
    dj_text_add(text, "            'help:print help'\n        )\n"
                      "        _describe -t verbs verb verbs\n        return\n    fi\n");
}

/* Appends the list of second words for each topic. */
static void append_topics(struct dj_text *text)
{
    struct dj_str topic;
    dj_text_add(text, "    local verb=$words[2]\n");
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        if (!dj_cli_verb_starts_topic(i, &topic)) {
            continue;
        }
        dj_text_format(text,
                       "    if [[ $verb == %.*s ]]; then\n"
                       "        verbs=(\n",
                       (int)topic.length, topic.at);
        for (size_t k = i; dj_cli_verb_at(k) != NULL; k++) {
            const char *name = dj_cli_verb_at(k)->name;
            if (strncmp(name, topic.at, topic.length + 1) == 0) {
                append_description(text, name + topic.length + 1,
                                   dj_cli_verb_at(k)->summary);
            }
        }
        dj_text_add(text, "        )\n"
                          "        if (( CURRENT == 3 )); then\n"
                          "            _describe -t verbs verb verbs\n"
                          "            return\n"
                          "        fi\n"
                          "        verb=\"$verb $words[3]\"\n"
                          "        shift words; (( CURRENT-- ))\n"
                          "    fi\n");
    }
    dj_text_add(text, "    shift words; (( CURRENT-- ))\n    case $verb in\n");
}

void dj_reference_append_zsh(struct dj_text *text)
{
    dj_text_add(text, head);
    append_verbs(text);
    append_topics(text);
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        dj_text_format(text, "        '%s')\n            _arguments -s", verb->name);
        for (size_t k = 0; k < verb->option_count; k++) {
            append_option(text, &verb->options[k]);
        }
        dj_text_add(text, " \\\n            {-h,--help}'[print help]'");
        append_operand(text, verb);
        dj_text_add(text, "\n            ;;\n");
    }
    dj_text_add(text, tail);
}
