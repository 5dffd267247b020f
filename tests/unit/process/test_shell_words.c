#include <criterion/criterion.h>
#include <string.h>

#include "process/shell_words.h"

static void expect(const char *command, const char *const *expected)
{
    char **words;
    struct dj_error err = {0};
    size_t i = 0;
    cr_assert_eq(dj_process_split_command(command, &words, &err), 0, "%s", err.message);
    for (; expected[i] != NULL; i++) {
        cr_assert_not_null(words[i], "%s: word %zu is missing", command, i);
        cr_assert_str_eq(words[i], expected[i]);
    }
    cr_assert_null(words[i]);
    dj_process_free_words(words);
}

#define EXPECT(command, ...) expect(command, (const char *const[]){__VA_ARGS__, NULL})

Test(shell_words, splits_like_a_shell)
{
    EXPECT("a", "a");
    EXPECT("  a\tb\n c ", "a", "b", "c");
    EXPECT("'a b' \"c d\"", "a b", "c d");
    EXPECT("a'b'\"c\"d", "abcd");
    EXPECT("'' \"\"", "", "");
    EXPECT("a\\ b", "a b");
    EXPECT("\"a\\\"b\" 'c\\d' \"e\\f\"", "a\"b", "c\\d", "e\\f");
    EXPECT("it\\'s", "it's");
}

Test(shell_words, nothing_is_expanded)
{
    EXPECT("$HOME *; $(id) `x` ~", "$HOME", "*;", "$(id)", "`x`", "~");
}

Test(shell_words, errors_have_an_offset)
{
    char **words;
    struct dj_error err = {0};
    cr_assert_eq(dj_process_split_command("ab 'cd", &words, &err), DJ_E_USAGE);
    cr_assert_null(words);
    cr_assert_not_null(strstr(err.message, "character 4"), "%s", err.message);
    cr_assert_eq(dj_process_split_command("\"a\\", &words, &err), DJ_E_USAGE);
    cr_assert_eq(dj_process_split_command("  ", &words, &err), DJ_E_USAGE);
}
