#include "cli/options.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* The exit codes are a contract: what each error is to a script. */
Test(exits, every_error_has_its_exit_code)
{
    static const struct {
        int code;
        enum dj_exit exit;
    } rows[] = {
        {0, DJ_EXIT_OK},
        {DJ_E_USAGE, DJ_EXIT_USAGE},
        {DJ_E_UNSUPPORTED, DJ_EXIT_USAGE},
        {DJ_E_GONE, DJ_EXIT_DEVICE},
        {DJ_E_TIMEOUT, DJ_EXIT_DEVICE},
        {DJ_E_NOT_FOUND, DJ_EXIT_DEVICE},
        {DJ_E_IO, DJ_EXIT_DEVICE},
        {DJ_E_NO_DATA, DJ_EXIT_DATA},
        {DJ_E_INVALID, DJ_EXIT_DATA},
        {DJ_E_INTERRUPTED, DJ_EXIT_DATA},
        {DJ_E_OUTPUT, DJ_EXIT_DATA},
        {DJ_E_NO_MEMORY, DJ_EXIT_INTERNAL},
        {-1000, DJ_EXIT_INTERNAL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(dj_cli_exit_code(rows[i].code), (int)rows[i].exit, "code %d",
                     rows[i].code);
    }
}

/* ---- the kinds of values, by a verb of our own ---- */

struct values {
    int64_t count, number, duration_ns, pause_ns, period_ns;
};

static const struct dj_option kinds[] = {
    {"count", 0, DJ_OPTION_COUNT, offsetof(struct values, count), "N", "from 1"},
    {"number", 0, DJ_OPTION_NUMBER, offsetof(struct values, number), "N", "from 0"},
    {"for", 0, DJ_OPTION_DURATION, offsetof(struct values, duration_ns), "TIME", "some"},
    {"pause", 0, DJ_OPTION_PAUSE, offsetof(struct values, pause_ns), "TIME", "or none"},
    {"period", 0, DJ_OPTION_PERIOD, offsetof(struct values, period_ns), "TIME", "of it"},
};

static const struct dj_verb verb = {
    .name = "try", .options = kinds, .option_count = sizeof(kinds) / sizeof(kinds[0])};

static int parse(const char *word, const char *value, struct values *values)
{
    char name[] = "try", option[32], given[32];
    char *argv[] = {name, option, given, NULL};
    int operands;
    snprintf(option, sizeof(option), "%s", word);
    snprintf(given, sizeof(given), "%s", value);
    *values = (struct values){.count = 0};
    return dj_options_parse(&verb, 3, argv, values, false, &operands);
}

Test(options, nought_is_said_apart_from_nothing)
{
    struct values values;
    cr_assert_eq(parse("--number", "0", &values), DJ_EXIT_OK);
    cr_assert_eq(values.number, DJ_OPTION_NONE);
    cr_assert_eq(values.count, 0, "was not said");
    cr_assert_eq(parse("--pause", "0", &values), DJ_EXIT_OK);
    cr_assert_eq(values.pause_ns, DJ_OPTION_NONE);
    cr_assert_eq(parse("--number", "7", &values), DJ_EXIT_OK);
    cr_assert_eq(values.number, 7);
    cr_assert_eq(parse("--pause", "200ms", &values), DJ_EXIT_OK);
    cr_assert_eq(values.pause_ns, INT64_C(200000000));
}

Test(options, values_of_another_kind_are_refused)
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
    };
    struct values values;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(parse(rows[i][0], rows[i][1], &values), DJ_EXIT_USAGE, "%s %s",
                     rows[i][0], rows[i][1]);
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
    cr_assert_stderr_eq_str("dejank collect: unknown option --no-warmup (see dejank "
                            "collect --help)\n");
}

Test(options, a_part_of_a_removed_option_is_unknown)
{
    cr_assert_eq(parse_removed("run", "--no-warm"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str(
        "dejank run: unknown option --no-warm (see dejank run --help)\n");
}
