#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"
#include "reference/reference.h"
#include "reference/values.h"

/*
 * The script finds the verb, then offers: the values of the option before the cursor, the
 * verb's options, or its operands. Bash splits "--csv=profile" at "=", and "local:" after
 * the colon.
 */
static const char head[] =
    "# Completions of dejank for bash. Generated from src/host/cli/verbs.\n"
    "\n"
    "_dejank_offer() { # KIND [WORDS]\n"
    "    case $1 in\n"
    "        words) mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$cur\") ;;\n"
    "        files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "
    "\"$cur\") ;;\n"
    "        folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "
    "\"$cur\") ;;\n"
    "        commands) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\") ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_dejank() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local first=1 verb equals='' options='' operand='' words=''\n"
    "    COMPREPLY=()\n"
    "    [[ ${COMP_WORDS[1]} == help ]] && first=2\n"
    "    verb=${COMP_WORDS[first]}\n";

static const char middle[] =
    "    if [[ $cur == = ]]; then cur='' equals='='\n"
    "    elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]} equals='='; fi\n"
    "    case $verb,$prev$equals in\n";

static const char tail[] =
    "    esac\n"
    "    if [[ $cur == -* ]]; then _dejank_offer words \"$options --help\"\n"
    "    else _dejank_offer \"$operand\" \"$words\"; fi\n"
    "}\n"
    "\n"
    "complete -F _dejank dejank\n";

static const char *name_source(enum dj_value_source source)
{
    static const char *const names[] = {
        [DJ_VALUES_NONE] = "",
        [DJ_VALUES_WORDS] = "words",
        [DJ_VALUES_FILES] = "files",
        [DJ_VALUES_FOLDERS] = "folders",
        [DJ_VALUES_COMMANDS] = "commands",
    };
    return names[source];
}

/* Appends the first words of all verbs. */
static void append_first_words(struct dj_text *text)
{
    struct dj_str topic;
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        bool starts_topic = dj_cli_verb_starts_topic(i, &topic);
        if (starts_topic || strchr(dj_cli_verb_at(i)->name, ' ') == NULL) {
            dj_text_append(text, topic.at, topic.length);
            dj_text_add(text, " ");
        }
    }
}

/* Appends the second words of the verbs of a topic. */
static void append_second_words(struct dj_text *text, struct dj_str topic)
{
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const char *name = dj_cli_verb_at(i)->name;
        if (strncmp(name, topic.at, topic.length + 1) == 0) {
            dj_text_format(text, "%s ", name + topic.length + 1);
        }
    }
}

/* Appends the completion of the verb's own words. */
static void append_verb_choice(struct dj_text *text)
{
    struct dj_str topic;
    dj_text_add(text, "    if (( COMP_CWORD == first )); then\n"
                      "        _dejank_offer words '");
    append_first_words(text);
    dj_text_add(text, "help --help --version'\n        return\n    fi\n");
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        if (!dj_cli_verb_starts_topic(i, &topic)) {
            continue;
        }
        dj_text_format(text,
                       "    if [[ $verb == %.*s ]]; then\n"
                       "        if (( COMP_CWORD == first + 1 )); then\n"
                       "            _dejank_offer words '",
                       (int)topic.length, topic.at);
        append_second_words(text, topic);
        dj_text_add(text, "--help'\n            return\n        fi\n"
                          "        verb=\"$verb ${COMP_WORDS[first+1]}\"\n    fi\n");
    }
    dj_text_add(text, "    (( first == 2 )) && return\n");
}

/* Appends the case that completes the value of an option. The value follows the option or
 * its "=". */
static void append_value(struct dj_text *text, const struct dj_verb *verb,
                         const struct dj_option *option)
{
    enum dj_value_source source = dj_values_of_option(option);
    dj_text_add(text, "        ");
    if (!dj_cli_option_is_form(option)) {
        dj_text_format(text, "'%s,--%s'|", verb->name, option->name);
        if (option->letter != 0) {
            dj_text_format(text, "'%s,-%c'|", verb->name, option->letter);
        }
    }
    dj_text_format(text, "'%s,--%s=') _dejank_offer '%s' '", verb->name, option->name,
                   name_source(source));
    if (source == DJ_VALUES_WORDS) {
        dj_values_append_option_words(text, option);
    }
    dj_text_add(text, "'; return ;;\n");
}

static void append_verb(struct dj_text *text, const struct dj_verb *verb)
{
    enum dj_value_source source = dj_values_of_operand(verb);
    dj_text_format(text, "        '%s')\n            options='", verb->name);
    for (size_t i = 0; i < verb->option_count; i++) {
        dj_text_format(text, "%s--%s", i > 0 ? " " : "", verb->options[i].name);
    }
    dj_text_format(text, "' operand='%s'", name_source(source));
    if (source == DJ_VALUES_WORDS) {
        dj_text_add(text, " words='");
        dj_values_append_operand_words(text, verb);
        dj_text_add(text, "'");
    }
    dj_text_add(text, " ;;\n");
}

void dj_reference_append_bash(struct dj_text *text)
{
    dj_text_add(text, head);
    append_verb_choice(text);
    dj_text_add(text, middle);
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        for (size_t k = 0; k < verb->option_count; k++) {
            if (verb->options[k].kind != DJ_OPTION_FLAG) {
                append_value(text, verb, &verb->options[k]);
            }
        }
    }
    dj_text_add(text, "    esac\n    case $verb in\n");
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        append_verb(text, dj_cli_verb_at(i));
    }
    dj_text_add(text, tail);
}
