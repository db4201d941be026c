/* bcryptprimitives.dll for Wine before 9: programs of Go 1.22 and later take their random numbers from ProcessPrng. */
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom, in advapi32 */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
