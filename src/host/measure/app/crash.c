/*
 * Example of a crash log:
 *
 *   03-05 10:11:12.345  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main
 *   03-05 10:11:12.345  4242  4242 E AndroidRuntime: Process: com.example, PID: 4242
 *   03-05 10:11:12.345  4242  4242 E AndroidRuntime: java.lang.RuntimeException: boom
 *
 *   03-05 10:11:12.345  4300  4300 F DEBUG   : pid: 4242, tid: 4260, name: Render  >>>
 *   com.example <<<
 *   03-05 10:11:12.345  4300  4300 F DEBUG   : signal 11 (SIGSEGV), code 1 (…)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/app/app.h"

static const char *find_in_line(const char *line, size_t length, const char *words)
{
    return memmem(line, length, words, strlen(words));
}

/* Returns the process id after "Process: PACKAGE, PID: ", or 0 if the line does not
 * contain this text. */
static int64_t parse_java_pid(const char *line, size_t length, const char *package)
{
    char words[256];
    snprintf(words, sizeof(words), "Process: %s, PID: ", package);
    const char *at = find_in_line(line, length, words);
    return at != NULL ? strtoll(at + strlen(words), NULL, 10) : 0;
}

static int64_t parse_native_pid(const char *line, size_t length, const char *package)
{
    char words[256];
    snprintf(words, sizeof(words), ">>> %s <<<", package);
    const char *at = find_in_line(line, length, words);
    at = at != NULL ? find_in_line(line, length, " pid: ") : NULL;
    return at != NULL ? strtoll(at + 6, NULL, 10) : 0;
}

/* Copies the line that starts at `line`, without the prefix that logcat adds. */
static void copy_next_line(const char *line, char *cause, size_t size)
{
    size_t length = strcspn(line, "\n");
    const char *words = line;
    const char *tags[] = {"AndroidRuntime: ", "DEBUG   : ", "DEBUG : "};
    for (size_t i = 0; i < COUNT_OF(tags); i++) {
        const char *tag = find_in_line(line, length, tags[i]);
        words = tag != NULL ? tag + strlen(tags[i]) : words;
    }
    snprintf(cause, size, "%.*s", (int)(line + length - words), words);
}

int64_t dj_crash_find(const char *log, const char *package, char *cause, size_t size)
{
    int64_t newest = 0;
    cause[0] = '\0';
    for (const char *line = log; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        const char *next = line + length + (line[length] == '\n');
        int64_t pid = parse_java_pid(line, length, package);
        pid = pid != 0 ? pid : parse_native_pid(line, length, package);
        if (pid != 0) {
            newest = pid;
            copy_next_line(next, cause, size);
        }
        line = next;
    }
    return newest;
}
