#include "cli/run/compare_commands.h"

#include "cli/run/play_plan.h"
#include "cli/stop.h"
#include "process/shell_words.h"

static int split_commands(char *const commands[2], char **words[2])
{
    static const char *const names[] = {"COMMAND_A", "COMMAND_B"};
    struct dj_error err = {0};
    int code = 0;
    for (int i = 0; i < 2 && code == 0; i++) {
        code = dj_process_split_command(commands[i], &words[i], &err);
        if (code != 0) {
            dj_error_prepend(&err, "%s", names[i]);
        }
    }
    return dj_cli_finish(code, &err);
}

int dj_cli_measure_commands(struct dj_quick_options *options, char *const commands[2],
                            const char *store, char ids[2][DJ_STORE_ID_BYTES])
{
    char **words[2] = {NULL, NULL};
    struct dj_quick_plan quick = {.devices = NULL};
    struct dj_error err = {0};
    const struct dj_play_options play = {
        .store = store, .silent = true, .batch_ids = ids};
    ids[0][0] = ids[1][0] = '\0';
    int result = split_commands(commands, words);
    if (result == DJ_EXIT_OK) {
        options->second_command = words[1];
        result =
            dj_cli_finish(dj_plan_quick_plan_init(options, words[0], &quick, &err), &err);
    }
    if (result == DJ_EXIT_OK) {
        result = dj_play_plan(&quick.plan, &play);
    }
    bool complete = ids[0][0] != '\0' && ids[1][0] != '\0' && !dj_stop_is_requested();
    if (result == DJ_EXIT_DATA && complete) {
        result = DJ_EXIT_OK;
    }
    dj_plan_quick_plan_finish(&quick);
    dj_process_free_words(words[0]);
    dj_process_free_words(words[1]);
    return result;
}
