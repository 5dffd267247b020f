/* Works until it is killed, with every shape of stack frame that C compilers generate:
 * leaf functions, frames of variable size, realigned frames, callbacks from libc, calls
 * through the procedure linkage table, signal handlers on the usual stack, and tail
 * calls. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile uint64_t sink;

__attribute__((noinline)) static uint64_t mix(uint64_t value)
{
    for (int i = 0; i < 400; i++) {
        value = (value ^ value >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return value;
}

__attribute__((noinline)) static uint64_t use_variable_frame(size_t size)
{
    volatile uint8_t bytes[size];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)mix(i);
    }
    return bytes[size / 2];
}

__attribute__((noinline)) static uint64_t use_realigned_frame(uint64_t value)
{
    _Alignas(64) volatile uint64_t words[16];
    words[value % 16] = mix(value);
    return words[value % 16] + use_variable_frame(16 + value % 64);
}

static int compare(const void *one, const void *other)
{
    uint64_t a = mix(*(const uint64_t *)one), b = mix(*(const uint64_t *)other);
    return (a > b) - (a < b);
}

__attribute__((noinline)) static uint64_t call_back(uint64_t seed)
{
    uint64_t words[64];
    for (size_t i = 0; i < 64; i++) {
        words[i] = seed + i;
    }
    qsort(words, 64, sizeof(*words), compare);
    return words[0];
}

__attribute__((noinline)) static uint64_t call_library(uint64_t seed)
{
    char text[64];
    snprintf(text, sizeof(text), "%.10f %llx", (double)seed / 7,
             (unsigned long long)seed);
    char *copy = strdup(text);
    uint64_t length = strlen(copy);
    free(copy);
    return length;
}

__attribute__((noinline)) static uint64_t descend(int depth, uint64_t seed)
{
    if (depth == 0) {
        return use_realigned_frame(seed) + call_back(seed) + call_library(seed);
    }
    return descend(depth - 1, seed + 1) ^ mix(seed);
}

static void on_signal(int number)
{
    sink = sink + use_realigned_frame((uint64_t)number) + call_back(sink);
}

int main(void)
{
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    const struct itimerval timer = {{0, 3000}, {0, 3000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (uint64_t seed = 0;; seed++) {
        sink = sink + descend((int)(seed % 20), seed);
    }
}
