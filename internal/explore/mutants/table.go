package main

import "slices"

var mutants = slices.Concat(ingressMutants, endMutants, descriptorMutants, driverMutants, alarmMutants, timerMutants, promiseMutants, jsMutants, volumeMutants)
