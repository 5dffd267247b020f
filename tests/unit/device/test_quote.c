#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/quote.h"

static void expect(const char *word, const char *quoted)
{
    struct dj_text text = {0};
    dj_device_quote_word(&text, word);
    cr_assert_str_eq(dj_text_get(&text), quoted);
    dj_text_finish(&text);
}

Test(quote, plain_words_stay_readable)
{
    expect("com.example.app", "com.example.app");
    expect("127.0.0.1:5555", "127.0.0.1:5555");
    expect("com.example:remote", "com.example:remote");
    expect("/data/local/tmp/a-b_c,d+e%f@g", "/data/local/tmp/a-b_c,d+e%f@g");
}

Test(quote, other_words_are_quoted)
{
    expect("", "''");
    expect("a b", "'a b'");
    expect("a;reboot", "'a;reboot'");
    expect("~", "'~'");
    expect("A=1", "'A=1'");
    expect("$HOME", "'$HOME'");
    expect("`id`", "'`id`'");
    expect("it's", "'it'\\''s'");
    expect("'", "''\\'''");
    expect("a\nb", "'a\nb'");
    expect("Größe 測試", "'Größe 測試'");
}

Test(quote, commands_are_words_separated_by_spaces)
{
    static const char *const argv[] = {"dumpsys", "gfxinfo", "My App; rm -rf /",
                                       "framestats", NULL};
    struct dj_text text = {0};
    dj_device_quote_command(&text, argv);
    cr_assert_str_eq(dj_text_get(&text), "dumpsys gfxinfo 'My App; rm -rf /' framestats");
    dj_text_finish(&text);
}

/* Fails the test unless a real shell reads the same bytes from the quoted word. */
static void expect_shell_agrees(const char *word)
{
    struct dj_text command = {0};
    char back[256] = "";
    int pipe_fds[2];
    dj_text_add(&command, "printf %s ");
    dj_device_quote_word(&command, word);
    cr_assert_eq(pipe(pipe_fds), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_fds[1], STDOUT_FILENO);
        close(pipe_fds[0]);
        execl("/bin/sh", "sh", "-c", dj_text_get(&command), (char *)NULL);
        _exit(126);
    }
    close(pipe_fds[1]);
    size_t have = 0;
    ssize_t got;
    while ((got = read(pipe_fds[0], back + have, sizeof(back) - 1 - have)) > 0) {
        have += (size_t)got;
    }
    close(pipe_fds[0]);
    waitpid(child, NULL, 0);
    cr_assert_str_eq(back, word, "sh read %s from %s", back, dj_text_get(&command));
    dj_text_finish(&command);
}

Test(quote, a_real_shell_reads_the_same_bytes)
{
    static const char *const words[] = {
        "plain",    "a b  c",    "it's",      "''''",     "\"quoted\"",  "$(id)",
        "`id`",     "a;b&c|d",   "*?[a-z]",   "~root",    "#no comment", "\\",
        "a\\'b",    "new\nline", "tab\there", "!history", "-n",          "{a,b}",
        "é ü 漢字", "\xff\xfe",  "x=1",
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        expect_shell_agrees(words[i]);
    }
}

Test(quote, a_real_shell_reads_random_bytes)
{
    char word[24];
    srand(7);
    for (int round = 0; round < 200; round++) {
        size_t length = (size_t)(rand() % (int)(sizeof(word) - 1));
        for (size_t i = 0; i < length; i++) {
            /* Mostly characters with a meaning in shells. */
            static const char special[] = "'\"\\$`;&|<>()*?[]{}~#!= \t\n%^-ab";
            word[i] = rand() % 4 == 0 ? (char)(1 + rand() % 255)
                                      : special[rand() % (int)(sizeof(special) - 1)];
        }
        word[length] = '\0';
        expect_shell_agrees(word);
    }
}
