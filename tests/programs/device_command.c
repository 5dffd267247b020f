/* A command of a stand-in device (tests/e2e/android). It sends its name and its
 * arguments to the stand-in's server, whose socket is $STAND_IN_SOCKET. It also sends
 * its standard input, output and error, so that the server itself reads and writes
 * them. The server replies with one or more pairs of bytes:
 *   r CODE   the exit code of the command
 *   x 0      run the real program of that name
 *   s 1|2|3  report SIGINT (1), SIGTERM (2) or both (3) to the server as a byte 't',
 *            instead of ending
 *   b 0      continue in the background, and print the process id of the background
 *            process */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 512 * 1024, DEVICE_IS_OFF = 255 };

static int reach_server(void)
{
    const char *path = getenv("STAND_IN_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (path == NULL || strlen(path) >= sizeof address.sun_path) {
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        return -1;
    }
    return fd;
}

/* Appends the words, each followed by a NUL. Returns the new size. */
static size_t pack(int count, char *const *words, char *bytes, size_t size)
{
    for (int i = 0; i < count; i++) {
        size_t length = strlen(words[i]) + 1;
        if (length > WORDS_MAX - size) {
            exit(DEVICE_IS_OFF);
        }
        memcpy(bytes + size, words[i], length);
        size += length;
    }
    return size;
}

static int send_call(int fd, const char *bytes, size_t size)
{
    uint32_t length = (uint32_t)size;
    struct iovec part = {&length, sizeof length};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(3 * sizeof(int));
    memcpy(CMSG_DATA(&control.header), (int[]){0, 1, 2}, 3 * sizeof(int));
    if (sendmsg(fd, &message, MSG_NOSIGNAL) != (ssize_t)sizeof length) {
        return -1;
    }
    while (size > 0) {
        ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return -1;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return 0;
}

/* Runs the program of that name that is in PATH after the stand-in's own folder. */
static void run_real(const char *name, char **argv)
{
    const char *path = getenv("PATH");
    const char *behind = path != NULL ? strchr(path, ':') : NULL;
    if (behind != NULL && setenv("PATH", behind + 1, 1) == 0) {
        execvp(name, argv);
    }
    fprintf(stderr, "%s: not found\n", name);
    exit(127);
}

static int server;

static void tell_signal(int signal)
{
    (void)signal;
    if (send(server, "t", 1, MSG_NOSIGNAL) < 0) {
        _exit(DEVICE_IS_OFF);
    }
}

static void catch_signals(int which)
{
    struct sigaction action = {.sa_handler = tell_signal, .sa_flags = SA_RESTART};
    if (which & 1) {
        sigaction(SIGINT, &action, NULL);
    }
    if (which & 2) {
        sigaction(SIGTERM, &action, NULL);
    }
}

/* Continues in a grandchild, and returns there. The process in between reaps the
 * grandchild. Otherwise adbd, which is the first process of its namespace, would leave
 * a zombie, and its pid would look like that of a running process. */
static void go_behind(void)
{
    int channel[2];
    pid_t pid = -1;
    if (pipe(channel) != 0) {
        exit(DEVICE_IS_OFF);
    }
    if (fork() != 0) {
        close(channel[1]);
        if (read(channel[0], &pid, sizeof pid) != (ssize_t)sizeof pid) {
            exit(DEVICE_IS_OFF);
        }
        printf("%d\n", (int)pid);
        exit(0);
    }
    setsid();
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) {
        dup2(null, fd);
    }
    pid = fork();
    if (pid == 0) {
        close(channel[0]);
        close(channel[1]);
        return;
    }
    close(server);
    if (write(channel[1], &pid, sizeof pid) < 0) {
        _exit(DEVICE_IS_OFF);
    }
    close(channel[1]);
    waitpid(pid, NULL, 0);
    _exit(0);
}

int main(int argc, char **argv)
{
    static char bytes[WORDS_MAX];
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash != NULL ? slash + 1 : argv[0];
    size_t size = pack(1, (char *[]){(char *)name}, bytes, 0);
    size = pack(argc - 1, argv + 1, bytes, size);
    char answer[2];
    server = reach_server();
    if (server < 0 || send_call(server, bytes, size) != 0) {
        fprintf(stderr, "%s: the stand-in's server is not there\n", name);
        return DEVICE_IS_OFF;
    }
    do {
        if (recv(server, answer, sizeof answer, MSG_WAITALL) != (ssize_t)sizeof answer) {
            fprintf(stderr, "%s: the stand-in's server is not there\n", name);
            return DEVICE_IS_OFF;
        }
        if (answer[0] == 'x') {
            run_real(name, argv);
        } else if (answer[0] == 's') {
            catch_signals(answer[1]);
        } else if (answer[0] == 'b') {
            go_behind();
        }
    } while (answer[0] != 'r');
    return (unsigned char)answer[1];
}
