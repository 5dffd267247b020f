#include "cli/parser.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <stddef.h>
#include <stdio.h>

/* ---- the kinds of values, with a verb made for the test ---- */

struct values {
    int64_t count, number, duration_ns, pause_ns, period_ns;
    const char *block, *csv, *release, *rule;
    bool json;
};

static const struct dj_option kinds[] = {
    {"count", 0, DJ_OPTION_COUNT, offsetof(struct values, count), "N", "from 1"},
    {"number", 0, DJ_OPTION_NUMBER, offsetof(struct values, number), "N", "from 0"},
    {"for", 0, DJ_OPTION_DURATION, offsetof(struct values, duration_ns), "TIME", "some"},
    {"pause", 0, DJ_OPTION_PAUSE, offsetof(struct values, pause_ns), "TIME", "or none"},
    {"period", 0, DJ_OPTION_PERIOD, offsetof(struct values, period_ns), "TIME", "of it"},
    {"block", 'b', DJ_OPTION_CHOICE, offsetof(struct values, block), "one|two", "a part"},
    {"csv", 0, DJ_OPTION_FORM_CHOICE, offsetof(struct values, csv), "all", "as CSV"},
    {"release", 0, DJ_OPTION_RELEASE, offsetof(struct values, release), "R", "Android"},
    {"rule", 0, DJ_OPTION_JANK_RULE, offsetof(struct values, rule), "RULE", "of jank"},
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct values, json), NULL, "as JSON"},
};

static const struct dj_verb verb = {
    .name = "try", .options = kinds, .option_count = sizeof(kinds) / sizeof(kinds[0])};

static int parse(const char *word, const char *value, struct values *values)
{
    static char name[] = "try", option[32], given[32]; /* the values point into them */
    char *argv[] = {name, option, given, NULL};
    int operands;
    snprintf(option, sizeof(option), "%s", word);
    snprintf(given, sizeof(given), "%s", value);
    *values = (struct values){.count = 0};
    return dj_options_parse(&verb, 3, argv, values, false, &operands);
}

Test(options, zero_differs_from_a_missing_option)
{
    struct values values;
    cr_assert_eq(parse("--number", "0", &values), DJ_EXIT_OK);
    cr_assert_eq(values.number, DJ_OPTION_NONE);
    cr_assert_eq(values.count, 0, "the option is missing");
    cr_assert_eq(parse("--pause", "0", &values), DJ_EXIT_OK);
    cr_assert_eq(values.pause_ns, DJ_OPTION_NONE);
    cr_assert_eq(parse("--number", "7", &values), DJ_EXIT_OK);
    cr_assert_eq(values.number, 7);
    cr_assert_eq(parse("--pause", "200ms", &values), DJ_EXIT_OK);
    cr_assert_eq(values.pause_ns, INT64_C(200000000));
}

Test(options, values_of_another_kind_are_rejected)
{
    static const char *const rows[][2] = {
        {"--count", "0"},
        {"--count", "-1"},
        {"--count", "1.5"},
        {"--count", ""},
        {"--number", "-1"},
        {"--number", "x"},
        {"--for", "0"},
        {"--for", "0ms"},
        {"--for", "ten"},
        {"--pause", "-1"},
        {"--pause", "1 x"},
        {"--pause", "inf"},
        {"--count", "99999999999999999999"},
        {"--period", "0Hz"},
        {"--period", "-60Hz"},
        {"--period", "nanHz"},
        {"--period", "60kHz"},
        {"--period", "Hz"},
        {"--period", ""},
        {"--block", "three"},
        {"--block", "on"},
        {"--block", "one|two"},
        {"--block", ""},
        {"--csv=some", ""},
        {"--release", "4.4"},
        {"--rule", "perfdog"},
        {"--json=yes", ""},
    };
    struct values values;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(parse(rows[i][0], rows[i][1], &values), DJ_EXIT_USAGE, "%s %s",
                     rows[i][0], rows[i][1]);
    }
}

Test(options, a_jank_rule_is_a_slug_or_a_word)
{
    static const char *const words[] = {"perfdog-jank", "hwui-legacy", "chromium-dropped",
                                        "all", "list"};
    struct values values;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        cr_assert_eq(parse("--rule", words[i], &values), DJ_EXIT_OK, "%s", words[i]);
        cr_expect_str_eq(values.rule, words[i]);
    }
}

Test(options, a_period_is_a_time_or_a_rate)
{
    static const struct {
        const char *word;
        int64_t ns;
    } rows[] = {{"16.667ms", 16667000}, {"60Hz", 16666667},  {"120 Hz", 8333333},
                {"59.94hz", 16683350},  {"8333us", 8333000}, {"8333µs", 8333000},
                {"8333μs", 8333000},    {"0.02", 20000000},  {"0.5Hz", 2000000000}};
    struct values values;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(parse("--period", rows[i].word, &values), DJ_EXIT_OK, "%s",
                     rows[i].word);
        cr_expect_eq(values.period_ns, rows[i].ns, "%s", rows[i].word);
    }
}

Test(options, an_enumeration_permits_its_words)
{
    struct values values;
    cr_assert_eq(parse("--block", "two", &values), DJ_EXIT_OK);
    cr_assert_str_eq(values.block, "two");
    cr_assert_eq(parse("-b", "one", &values), DJ_EXIT_OK);
    cr_assert_str_eq(values.block, "one");
    cr_assert_eq(parse("--release", "12L", &values), DJ_EXIT_OK);
    cr_assert_str_eq(values.release, "12L");
}

Test(options, a_form_has_an_optional_value_after_its_name)
{
    struct values values;
    cr_assert_eq(parse("--csv", "file", &values), DJ_EXIT_OK);
    cr_assert_str_eq(values.csv, "");
    cr_assert_eq(parse("--csv=all", "file", &values), DJ_EXIT_OK);
    cr_assert_str_eq(values.csv, "all");
}

Test(options, a_renamed_option_is_still_accepted)
{
    static const struct dj_option options[] = {
        {"app-version", 0, DJ_OPTION_STRING, offsetof(struct values, block), "V", "it"}};
    static const struct dj_verb import = {
        .name = "import", .options = options, .option_count = 1};
    static char name[] = "import", option[] = "--build", value[] = "1.7",
                joined_word[] = "--build=1.8";
    struct values values = {.count = 0};
    int operands;
    char *separate[] = {name, option, value, NULL};
    cr_assert_eq(dj_options_parse(&import, 3, separate, &values, false, &operands),
                 DJ_EXIT_OK);
    cr_expect_str_eq(values.block, "1.7");
    char *joined[] = {name, joined_word, NULL};
    cr_assert_eq(dj_options_parse(&import, 2, joined, &values, false, &operands),
                 DJ_EXIT_OK);
    cr_expect_str_eq(values.block, "1.8");
}

/* ---- errors ---- */

/* Parses one word after the verb, and checks the message on stderr. */
static void expect_error(const char *word, const char *message)
{
    char name[] = "try", given[64];
    char *argv[] = {name, given, NULL};
    struct values values = {.count = 0};
    int operands;
    snprintf(given, sizeof(given), "%s", word);
    cr_redirect_stderr();
    cr_assert_eq(dj_options_parse(&verb, 2, argv, &values, false, &operands),
                 DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str(message);
}

Test(errors, a_wrong_value_is_reported_with_what_was_expected)
{
    expect_error("--for=abc", "dejank try: --for: expected a duration such as 10s or "
                              "200ms, found 'abc'\n");
}

Test(errors, a_missing_value_is_reported_with_what_was_expected)
{
    expect_error("--count",
                 "dejank try: --count: expected a whole number of at least 1, found "
                 "nothing\n");
}

Test(errors, a_wrong_choice_is_reported_with_all_choices)
{
    expect_error("--block=three",
                 "dejank try: --block: expected one or two, found 'three'\n");
}

Test(errors, a_mistyped_choice_is_compared_with_all_choices)
{
    expect_error(
        "--block=tow",
        "dejank try: --block: expected one or two, found 'tow'\nhint: did you mean "
        "'two'?\n");
}

Test(errors, a_flag_rejects_a_value)
{
    expect_error("--json=yes", "dejank try: --json: expected no value, found 'yes'\n");
}

Test(errors, an_unknown_option_is_compared_with_the_known_ones)
{
    expect_error("--jsn", "dejank try: unknown option '--jsn'\nhint: did you mean "
                          "'--json'?\n");
}

Test(errors, the_value_of_an_unknown_option_is_not_compared)
{
    expect_error("--perod=1s", "dejank try: unknown option '--perod'\nhint: did you mean "
                               "'--period'?\n");
}

Test(errors, an_option_that_resembles_none_gets_a_hint_to_the_help)
{
    expect_error("--colour", "dejank try: unknown option '--colour'\nhint: 'dejank try "
                             "--help' lists the options\n");
}

Test(errors, an_unknown_letter_gets_a_hint_to_the_help)
{
    expect_error("-x", "dejank try: unknown option '-x'\nhint: 'dejank try --help' lists "
                       "the options\n");
}

/* ---- options of earlier releases ---- */

static int parse_removed(const char *verb_name, const char *word)
{
    const struct dj_verb other = {.name = verb_name};
    char name[] = "run", option[32];
    char *argv[] = {name, option, NULL};
    int operands;
    snprintf(option, sizeof(option), "%s", word);
    cr_redirect_stderr();
    return dj_options_parse(&other, 2, argv, NULL, false, &operands);
}

Test(options, a_removed_option_names_what_replaces_it)
{
    cr_assert_eq(parse_removed("run", "--no-warmup"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str(
        "dejank run: option --no-warmup was removed: use --warmup 0\n");
}

Test(options, a_removed_option_is_recognised_with_its_value)
{
    cr_assert_eq(parse_removed("run", "--trace-category=sched"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank run: option --trace-category was removed: use "
                            "'categories' in the 'trace:' of a plan "
                            "(docs/format/plan.md)\n");
}

Test(options, a_removed_option_belongs_to_its_verb)
{
    cr_assert_eq(parse_removed("collect", "--no-warmup"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank collect: unknown option '--no-warmup'\nhint: "
                            "'dejank collect --help' lists the options\n");
}

Test(options, a_part_of_a_removed_option_is_unknown)
{
    cr_assert_eq(parse_removed("run", "--no-warm"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str(
        "dejank run: unknown option '--no-warm'\nhint: 'dejank run --help' lists the "
        "options\n");
}

/* ---- operands ---- */

static int count_operands(void *values, int count, char **operands)
{
    (void)values;
    (void)operands;
    return 10 + count;
}

static int run_with_operands(int count)
{
    static const struct dj_verb pair = {
        .name = "pair", .operands = {"FILE", 1, 2}, .run = count_operands};
    char name[] = "pair", a[] = "a", b[] = "b", c[] = "c";
    char *argv[] = {name, a, b, c, NULL};
    cr_redirect_stderr();
    return dj_cli_run_verb(&pair, count + 1, argv);
}

Test(operands, a_permitted_number_of_operands_is_passed_on)
{
    cr_assert_eq(run_with_operands(2), 12);
}

Test(operands, a_missing_operand_is_reported)
{
    cr_assert_eq(run_with_operands(0), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank pair: missing operand FILE\nhint: 'dejank pair "
                            "--help' shows the usage and examples\n");
}

Test(operands, the_first_superfluous_operand_is_reported)
{
    cr_assert_eq(run_with_operands(3), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank pair: unexpected operand 'c'\nhint: 'dejank pair "
                            "--help' shows the usage and examples\n");
}
