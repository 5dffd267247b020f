#include "measure/record_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"

enum { OWN_WORDS = 10, RATE_TEXT = 32 };

/* Builds the array of arguments. The text of the refresh rate is stored after the array,
 * in the same allocation. So the caller frees both with one free(). */
const char **dj_measure_record_command(const struct dj_measure_record_command *record)
{
    size_t count = 0, used = 0;
    while (record->command[count] != NULL) {
        count++;
    }
    size_t room = (count + OWN_WORDS + 1) * sizeof(char *);
    const char **words = calloc(1, room + RATE_TEXT);
    if (words == NULL) {
        return NULL;
    }
    char *rate = (char *)words + room;
    snprintf(rate, RATE_TEXT, "%.17g", record->refresh_hz);
    const struct {
        bool is_used;
        const char *words[2];
    } parts[] = {
        {true, {"dejank", "record"}},
        {record->option != NULL, {record->option}},
        {record->temporary, {"--temporary"}},
        {record->name != NULL, {"--name", record->name}},
        {record->refresh_hz > 0, {"--refresh", rate}},
        {record->profile, {"--profile"}},
        {true, {"--"}},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        for (size_t k = 0; k < 2 && parts[i].is_used && parts[i].words[k] != NULL; k++) {
            words[used++] = parts[i].words[k];
        }
    }
    memcpy(words + used, record->command, count * sizeof(*words));
    return words;
}
