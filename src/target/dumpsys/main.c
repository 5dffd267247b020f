/* Program dumpsys [-l | --help | SERVICE [WORD…]]: Android's command, with the services
 * of a Linux device. */
#include "dumpsys/services.h"

int main(int argc, char **argv)
{
    return dj_services_run(argc, argv);
}
