#include "cli/messages.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "base/error.h"

/* Scripts rely on the exit codes: they are a contract. */
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

Test(exits, every_exit_code_has_a_meaning)
{
    for (int code = 0; code < DJ_EXIT_CODES; code++) {
        cr_assert_not_null(dj_cli_exit_meaning((enum dj_exit)code), "code %d", code);
    }
}

/* ---- messages ---- */

Test(messages, a_message_names_its_verb)
{
    cr_redirect_stderr();
    dj_cli_set_verb_name("trace read");
    cr_assert_eq(dj_cli_print_usage_error("no %s", "file"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank trace read: no file\n");
}

Test(messages, a_message_without_a_verb_names_the_program)
{
    cr_redirect_stderr();
    dj_cli_print_message("unknown verb");
    cr_assert_stderr_eq_str("dejank: unknown verb\n");
}

Test(messages, a_message_and_its_hint_are_printed_once)
{
    cr_redirect_stderr();
    dj_cli_set_verb_name("report");
    for (int i = 0; i < 3; i++) {
        dj_cli_print_message("pixel: no refresh rate");
        dj_cli_print_hint("use --refresh");
        dj_cli_print_message("nexus: no refresh rate. hint: use --refresh");
        dj_cli_send_message(NULL, "pixel: no refresh rate");
    }
    dj_cli_print_message("last");
    dj_cli_print_hint("see the manual");
    cr_assert_stderr_eq_str("dejank report: pixel: no refresh rate\n"
                            "hint: use --refresh\n"
                            "dejank report: nexus: no refresh rate\n"
                            "hint: use --refresh\n"
                            "dejank report: last\n"
                            "hint: see the manual\n");
}

Test(messages, an_event_is_printed_each_time)
{
    cr_redirect_stderr();
    dj_cli_set_verb_name("run");
    dj_cli_print_event("local: disconnected");
    dj_cli_print_event("local: disconnected");
    cr_assert_stderr_eq_str("dejank run: local: disconnected\n"
                            "dejank run: local: disconnected\n");
}

Test(messages, only_the_latest_messages_are_remembered)
{
    cr_redirect_stderr();
    for (int i = 0; i <= 1024; i++) {
        dj_cli_print_message("message %d", i);
    }
    fflush(stderr);
    cr_redirect_stderr();
    dj_cli_print_message("message 1024");
    dj_cli_print_message("message 0");
    cr_assert_stderr_eq_str("dejank: message 0\n");
}

Test(messages, control_characters_are_escaped)
{
    cr_redirect_stderr();
    dj_cli_print_hint("see %s", "\033[31mx");
    cr_assert_stderr_eq_str("hint: see \\x1b[31mx\n");
}

Test(messages, a_missing_operand_is_named)
{
    cr_redirect_stderr();
    dj_cli_set_verb_name("show");
    cr_assert_eq(dj_cli_report_missing("BATCH"), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank show: missing operand BATCH\nhint: 'dejank show "
                            "--help' shows the usage and examples\n");
}

Test(messages, the_first_broken_rule_is_reported)
{
    const struct dj_cli_rule rules[] = {
        {false, "holds"}, {true, "broken"}, {true, "broken, too"}};
    cr_redirect_stderr();
    dj_cli_set_verb_name("x");
    cr_assert_eq(dj_cli_check_rules(rules, 1), DJ_EXIT_OK);
    cr_assert_eq(dj_cli_check_rules(rules, 3), DJ_EXIT_USAGE);
    cr_assert_stderr_eq_str("dejank x: broken\n");
}
