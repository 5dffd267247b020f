#include "cli/help.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>

#include "cli/layout.h"
#include "cli/parser.h"
#include "cli/verbs.h"

static struct dj_text make_help(const struct dj_verb *verb)
{
    struct dj_text text = {0};
    dj_help_append_verb(&text, verb, NULL);
    return text;
}

static void expect_narrow(const char *text, const char *name)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        struct dj_str line = {text, length};
        cr_assert_leq(dj_str_count_characters(line), DJ_LAYOUT_COLUMNS, "%s: %.*s", name,
                      (int)length, text);
        text += length + (text[length] == '\n');
    }
}

Test(help, no_line_is_longer_than_80_columns)
{
    struct dj_text overview = {0};
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        struct dj_text text = make_help(dj_cli_verb_at(i));
        expect_narrow(dj_text_get(&text), dj_cli_verb_at(i)->name);
        dj_text_finish(&text);
    }
    dj_help_append_overview(&overview);
    dj_help_append_topic(&overview, "trace");
    expect_narrow(dj_text_get(&overview), "overview");
    dj_text_finish(&overview);
}

static const struct dj_verb *find_verb(char *name)
{
    int word_count;
    return dj_verb_find(1, &name, &word_count);
}

static bool has_text(const struct dj_text *text, const char *words)
{
    return strstr(dj_text_get(text), words) != NULL;
}

Test(help, a_command_has_help_of_its_own)
{
    struct dj_text text = {0};
    dj_help_append_verb(&text, find_verb("fleet"), "forget");
    cr_expect(has_text(&text, "usage: dejank fleet forget"), "%s", dj_text_get(&text));
    cr_expect(has_text(&text, "Delete sessions by their ids.\n"));
    cr_expect(has_text(&text, "--yes"));
    cr_expect_not(has_text(&text, "--by"));
    cr_expect_not(has_text(&text, "dejank fleet query"));
    cr_expect_not(has_text(&text, "Examples"), "forget has no example");
    dj_text_clear(&text);
    dj_help_append_verb(&text, find_verb("fleet"), "query");
    cr_expect(has_text(&text, "--by") && has_text(&text, "\nQuery:\n"));
    cr_expect(has_text(&text, "--by version,class"), "the example of query");
    cr_expect_not(has_text(&text, "--from"));
    dj_text_finish(&text);
}

/* Returns the exit codes in the help of a command, separated by spaces. */
static void find_codes(const char *command, char codes[32])
{
    struct dj_text text = {0};
    size_t used = 0;
    dj_help_append_verb(&text, find_verb("fleet"), command);
    const char *list = strstr(dj_text_get(&text), "\nExit codes:\n");
    cr_assert_not_null(list);
    for (const char *line = list + 1; (line = strchr(line, '\n')) != NULL; line++) {
        if (strncmp(line, "\n  ", 3) == 0 && line[3] != ' ') {
            used += (size_t)snprintf(codes + used, 32 - used, "%c ", line[3]);
        }
    }
    dj_text_finish(&text);
}

Test(help, a_command_has_only_the_exit_codes_that_it_returns)
{
    static const char *const expected[][2] = {
        {"init", "3 "},     {"push", "3 4 "},  {"query", "3 "}, {"compare", "1 3 4 6 "},
        {"rollup", "3 4 "}, {"check", "3 4 "}, {"prune", "3 "}, {"forget", "3 "},
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        char codes[32] = "";
        find_codes(expected[i][0], codes);
        cr_expect_str_eq(codes, expected[i][1], "%s: %s", expected[i][0], codes);
    }
    struct dj_text text = {0};
    dj_help_append_verb(&text, find_verb("fleet"), "push");
    cr_expect(has_text(&text, "  4  push: sessions were refused"));
    cr_expect_not(has_text(&text, "check:"));
    dj_text_finish(&text);
}

Test(help, an_operand_that_is_no_command_has_the_help_of_the_verb)
{
    struct dj_text text = {0}, whole = make_help(find_verb("fleet"));
    dj_help_append_verb(&text, find_verb("fleet"), "quer");
    cr_expect_str_eq(dj_text_get(&text), dj_text_get(&whole));
    dj_text_finish(&text);
    dj_text_finish(&whole);
}

Test(help, a_summary_fits_on_a_line_of_the_overview)
{
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        cr_assert_leq(dj_str_count_characters(dj_str_of(verb->summary)), 63, "%s",
                      verb->name);
    }
}

Test(help, every_option_has_its_name_and_text)
{
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        struct dj_text text = make_help(verb);
        for (size_t k = 0; k < verb->option_count; k++) {
            struct dj_text name = {0};
            dj_cli_append_option_name(&name, &verb->options[k]);
            cr_assert(strstr(dj_text_get(&text), dj_text_get(&name)) != NULL, "%s %s",
                      verb->name, dj_text_get(&name));
            dj_text_finish(&name);
        }
        dj_text_finish(&text);
    }
}

Test(help, options_of_verbs_with_many_are_in_groups)
{
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        cr_assert(verb->option_count <= 15 || verb->group_count > 1, "%s", verb->name);
        size_t found = 0;
        for (size_t k = 0; k < verb->option_count; k++) {
            found += dj_cli_find_help_heading(verb, &verb->options[k]) != NULL;
        }
        cr_assert_eq(found, verb->group_count, "%s", verb->name);
        cr_assert(found == 0 || dj_cli_find_help_heading(verb, &verb->options[0]) != NULL,
                  "%s", verb->name);
    }
}

Test(help, texts_of_options_are_phrases)
{
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        for (size_t k = 0; k < verb->option_count; k++) {
            const char *help = verb->options[k].help;
            cr_assert(help[0] != '\0' && help[strlen(help) - 1] != '.', "%s --%s",
                      verb->name, verb->options[k].name);
        }
    }
}

/* ---- examples ---- */

/* Splits a command into words, where single quotes keep a word together. The command ends
 * at a shell's operator. Changes `command`. */
static int split(char *command, char **words, int most)
{
    int count = 0;
    while (*command != '\0' && count < most) {
        char *to = command;
        words[count] = command;
        bool quoted = false;
        for (; *command != '\0' && (quoted || *command != ' '); command++) {
            if (*command == '\'') {
                quoted = !quoted;
            } else {
                *to++ = *command;
            }
        }
        command += *command != '\0';
        *to = '\0';
        if (strchr("|>&;", words[count][0]) != NULL) {
            break;
        }
        count++;
    }
    return count;
}

/* Parses the part of an example after "dejank" with the verb's table. */
static void expect_parses(const struct dj_verb *verb, const char *command)
{
    char copy[256], *words[32];
    const char *start = strstr(command, "dejank ");
    cr_assert_not_null(start, "%s", command);
    snprintf(copy, sizeof(copy), "%s", start);
    copy[strcspn(copy, ";")] = '\0';
    int word_count, count = split(copy, words, 32);
    cr_assert_eq(dj_verb_find(count - 1, words + 1, &word_count), verb, "%s", command);
    void *values = calloc(1, verb->values_bytes);
    int operands;
    int code = dj_options_parse(verb, count - word_count, words + word_count, values,
                                verb->stops_at_operand, &operands);
    cr_assert_eq(code, DJ_EXIT_OK, "%s", command);
    cr_assert(operands >= verb->operands.least && operands <= verb->operands.most, "%s",
              command);
    free(values);
}

Test(examples, every_verb_has_two_to_four_examples_that_parse)
{
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        const struct dj_verb *verb = dj_cli_verb_at(i);
        cr_assert(verb->example_count >= 2 && verb->example_count <= 4, "%s", verb->name);
        for (size_t k = 0; k < verb->example_count; k++) {
            const struct dj_example *example = &verb->examples[k];
            expect_parses(verb, example->command);
            cr_assert_leq(dj_str_count_characters(dj_str_of(example->command)), 76, "%s",
                          example->command);
            cr_assert_leq(dj_str_count_characters(dj_str_of(example->purpose)), 78, "%s",
                          example->purpose);
        }
    }
}

Test(examples, every_group_has_an_example_that_parses)
{
    for (int group = 0; group < DJ_VERB_GROUPS; group++) {
        char copy[128], *words[32];
        int word_count;
        snprintf(copy, sizeof(copy), "%s", dj_verb_groups[group].example);
        int count = split(copy, words, 32);
        const struct dj_verb *verb = dj_verb_find(count - 1, words + 1, &word_count);
        cr_assert_not_null(verb, "%s", dj_verb_groups[group].example);
        expect_parses(verb, dj_verb_groups[group].example);
    }
}
