#include "cli/trace_command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/deadline.h"

#define PATIENCE_NS (5 * DJ_SECOND_NS)

static char **words_of(const char *name, char *const *argv)
{
    static char dejank[] = "dejank", record[] = "record", option[] = "--name",
                end[] = "--";
    enum { OWN = 5 };
    size_t count = 0;
    while (argv[count] != NULL) {
        count++;
    }
    char **words = calloc(count + OWN + 1, sizeof(*words));
    char *copy = words != NULL ? strdup(name) : NULL;
    if (copy == NULL) {
        free(words);
        return NULL;
    }
    char *const own[OWN] = {dejank, record, option, copy, end};
    memcpy(words, own, sizeof(own));
    memcpy(words + OWN, argv, count * sizeof(*words));
    return words;
}

/* In the child: what is read from the gate is the word to start; its end without one is
 * that of whoever made us. Whenever that one ends, so do we: `dejank record` hands the
 * signal on to the program. */
static _Noreturn void wait_and_run(int gate, pid_t parent, const char *self, char **words)
{
    char word;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || read(gate, &word, 1) != 1) {
        _exit(0);
    }
    execv(self, words);
    _exit(127);
}

int dj_trace_command_make(struct dj_trace_command *command, const char *self,
                          const char *name, char *const *argv, struct dj_error *err)
{
    int gate[2];
    pid_t parent = getpid();
    char **words = words_of(name, argv);
    if (words == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int failure = pipe2(gate, O_CLOEXEC) != 0 ? errno : 0;
    pid_t pid = failure == 0 ? fork() : -1;
    failure = pid < 0 && failure == 0 ? errno : failure;
    if (pid == 0) {
        close(gate[1]);
        wait_and_run(gate[0], parent, self, words);
    }
    free(words[3]);
    free(words);
    if (failure != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot start '%s': %s", argv[0],
                            strerror(failure));
    }
    close(gate[0]);
    *command = (struct dj_trace_command){
        .pid = pid, .gate = gate[1], .waiting = true, .running = true};
    return 0;
}

void dj_trace_command_start(struct dj_trace_command *command)
{
    static const char word = 's';
    if (command->waiting) {
        ssize_t ignored = write(command->gate, &word, 1);
        (void)ignored;
        close(command->gate);
        command->waiting = false;
    }
}

bool dj_trace_command_runs(struct dj_trace_command *command)
{
    if (command->running && waitpid(command->pid, &command->status, WNOHANG) != 0) {
        command->running = false;
    }
    return command->running;
}

void dj_trace_command_end(struct dj_trace_command *command)
{
    if (command->waiting) {
        close(command->gate);
        command->waiting = false;
    } else if (command->running) {
        kill(command->pid, SIGTERM);
    }
    int64_t until_ns = dj_host_now_ns() + PATIENCE_NS;
    while (dj_trace_command_runs(command) && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(20 * DJ_MILLISECOND_NS);
    }
    if (command->running) {
        kill(command->pid, SIGKILL);
        waitpid(command->pid, &command->status, 0);
        command->running = false;
    }
}
